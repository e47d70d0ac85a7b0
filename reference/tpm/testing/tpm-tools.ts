import { execFileSync } from 'node:child_process'

/** Runs one of the tpm2-tools and returns its output; on failure throws its error output. */
export function tpmTool(name: string, args: readonly string[], tcti?: string): string {
  const place = tcti === undefined ? [] : ['-T', tcti]
  return execFileSync(`tpm2_${name}`, [...args, ...place], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 20_000,
  })
}

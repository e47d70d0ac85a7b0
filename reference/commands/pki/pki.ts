import { loadConfig } from '../../config/config.ts'
import { makeAdministrator } from '../../pki/administrator.ts'
import { tlsDirectoryOf } from '../../pki/tls-names.ts'
import { parsePkiOptions } from './options.ts'

/**
 * `assay pki admin`: one more administrator for the CA of a TLS directory. Prints what was written and how
 * it is used, never a key; returns the exit code.
 */
export async function pkiMain(
  argv: readonly string[],
  out: { write(text: string): unknown } = process.stdout,
  now: number = Date.now(),
): Promise<number> {
  const options = parsePkiOptions(argv)
  if (options === undefined) return 0
  const directory = options.tlsDir ?? tlsDirectoryOf(loadConfig('verifier', options.config, []))
  const { folder, files } = await makeAdministrator({ ...options, directory, now })
  const [ca, certificate, key] = files.map((name) => `${folder}/${name}`)
  const lines = [
    `${options.package} makes ${options.name} an administrator: hand it over as the secret it is`,
    `  tar -xf ${options.package}`,
    `  curl --cacert ${ca} --cert ${certificate} --key ${key} https://VERIFIER/v2.5/agents/`,
  ]
  out.write(`${lines.join('\n')}\n`)
  return 0
}

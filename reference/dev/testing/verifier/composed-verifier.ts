import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { composeVerifier } from '../../../compose/compose-verifier.ts'
import { SHIPPED_PARTS } from '../../../compose/parts.ts'
import { loadConfig } from '../../../config/config.ts'
import { type Answered, asking, type CallOptions } from '../composed.ts'
import { temporaryDirectory } from '../temporary-directory.ts'

export type Ask = (path: string, asked?: CallOptions) => Promise<Answered>

/** A verifier on a loopback port, in a directory of its own. */
export interface ComposedVerifier {
  readonly ask: Ask
  /** PEM of the CA that it, its client certificate and the administrator's are of. */
  readonly ca: string
  /** Ends it now; it ends with the test anyway. */
  close(): Promise<void>
}

/** Starts one with some settings over their defaults, and its files in a directory. */
export async function composedVerifier(
  settings: readonly string[] = [],
  state_dir: string = temporaryDirectory(),
): Promise<ComposedVerifier> {
  const given = ['log_level=silent', 'port=0', `state_dir=${state_dir}`, ...settings]
  const component = await composeVerifier(loadConfig('verifier', undefined, given), SHIPPED_PARTS)
  let ended: Promise<void> | undefined
  const close = () => (ended ??= component.close())
  onTestFinished(close)
  await component.server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = component.server.server.address() as AddressInfo
  const directory = join(state_dir, 'cv_ca')
  const ca = readFileSync(join(directory, 'cacert.crt'), 'utf8')
  return { ask: asking(directory, port), ca, close }
}

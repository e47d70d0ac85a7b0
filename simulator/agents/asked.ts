import { pcrsOfBitmap } from '../tpm/pcr-selection.ts'

/** What an agent can be asked for. */
export const OPERATIONS = [
  'version',
  'info',
  'pubkey',
  'vkey',
  'ukey',
  'verify',
  'identity',
  'integrity',
  'revocation',
] as const
export type Operation = (typeof OPERATIONS)[number]

const PATHS: Readonly<Record<string, Operation>> = {
  'GET /agent/info': 'info',
  'GET /keys/pubkey': 'pubkey',
  'POST /keys/vkey': 'vkey',
  'POST /keys/ukey': 'ukey',
  'GET /keys/verify': 'verify',
  'GET /quotes/identity': 'identity',
  'GET /quotes/integrity': 'integrity',
  'POST /notifications/revocation': 'revocation',
}

/** A request, read as far as it can be. */
export interface Asked {
  readonly method: string
  /** As it came, with its query. */
  readonly target: string
  /** Undefined for a path that no agent has. */
  readonly operation: Operation | undefined
  /** Of the path, as `2.5`; undefined where it has none. */
  readonly version: string | undefined
  readonly query: Readonly<Record<string, string>>
}

/** Reads a request line. */
export function readAsked(method: string, target: string): Asked {
  const url = new URL(target, 'https://agent')
  const query = Object.fromEntries(url.searchParams)
  if (url.pathname === '/version')
    return { method, target, operation: 'version', version: undefined, query }
  const [, version, path] = /^\/v(\d+(?:\.\d+)?)(\/.*)$/.exec(url.pathname) ?? []
  const operation = PATHS[`${method} ${path}`]
  return { method, target, operation, version: version && fullVersion(version), query }
}

/** `2` is another way to write 2.0. */
function fullVersion(version: string): string {
  return version.includes('.') ? version : `${version}.0`
}

/** PCRs of a hexadecimal mask, ascending; none where it cannot be read. */
export function pcrsOfMask(mask: string): readonly number[] {
  const bits = /^(?:0x)?([0-9a-f]{1,8})$/i.exec(mask)?.[1]
  if (bits === undefined) return []
  const bytes = new Uint8Array(Buffer.from(bits.padStart(8, '0'), 'hex')).reverse()
  return pcrsOfBitmap(bytes)
}

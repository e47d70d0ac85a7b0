import { pcrsOfBitmap } from '../tpm/pcr-selection.ts'

/** Operations of a pull agent. */
const OPERATIONS = [
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

/** A request line, parsed as far as possible. */
export interface AgentRequest {
  readonly method: string
  /** The request target with its query. */
  readonly target: string
  /** Undefined if the path is not one of an agent. */
  readonly operation: Operation | undefined
  /** Version in the path, as `2.5`; undefined if there is none. */
  readonly version: string | undefined
  readonly query: Readonly<Record<string, string>>
}

/** Path and query of a request target, unchanged; of `http://host/path` too. Any text has them. */
export function parseTarget(target: string): {
  readonly path: string
  readonly query: URLSearchParams
} {
  const [path = '', ...query] = target.replace(/^https?:\/\/[^/?]*/i, '').split('?')
  return { path, query: new URLSearchParams(query.join('?')) }
}

/** A part of a path without its percent-encoding; a part that is not encoded correctly, unchanged. */
export function decodedPart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Parses method and target of a request line. */
export function parseAgentRequest(method: string, target: string): AgentRequest {
  const { path: whole, query: parameters } = parseTarget(target)
  const query = Object.fromEntries(parameters)
  if (whole === '/version')
    return { method, target, operation: 'version', version: undefined, query }
  const [, version, path] = /^\/v(\d+(?:\.\d+)?)(\/.*)$/.exec(whole) ?? []
  const operation = PATHS[`${method} ${path}`]
  return { method, target, operation, version: version && fullVersion(version), query }
}

/** `2` is another spelling of 2.0. */
function fullVersion(version: string): string {
  return version.includes('.') ? version : `${version}.0`
}

/** Returns the PCRs of a hexadecimal mask in ascending order; empty if the mask is invalid. */
export function pcrsOfMask(mask: string): readonly number[] {
  const bits = /^(?:0x)?([0-9a-f]{1,8})$/i.exec(mask)?.[1]
  if (bits === undefined) return []
  const bytes = new Uint8Array(Buffer.from(bits.padStart(8, '0'), 'hex')).reverse()
  return pcrsOfBitmap(bytes)
}

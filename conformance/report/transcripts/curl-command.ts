import type { RunResult } from '../result.ts'
import type { WireEntry } from './transcript-entry.ts'

/** Headers that curl sets itself. */
const OWN_HEADERS: ReadonlySet<string> = new Set(['host', 'content-length', 'connection'])

/** Quotes a word for a POSIX shell. */
export const shellQuoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`

/** The URL with the variable of the role that served it. */
function urlOf(url: string, roles: RunResult['target']['roles']): string {
  const role = roles.find((one) => one.url !== undefined && url.startsWith(one.url))
  if (role?.url === undefined) return shellQuoted(url)
  const rest = url.slice(role.url.length)
  return `"$${role.role.toUpperCase()}"${rest === '' ? '' : shellQuoted(rest)}`
}

function certificateOf({ speaker, tls }: WireEntry): readonly string[] {
  if (tls?.client_certificate === undefined) return []
  const name = speaker === 'admin' ? 'ADMIN' : 'CLIENT'
  return [`--cert "$${name}_CERT"`, `--key "$${name}_KEY"`]
}

function headerOf(name: string, value: string): string {
  const [scheme = ''] = value.split(' ')
  return value.includes('[redacted ') && name.toLowerCase() === 'authorization'
    ? `--header "${name}: ${scheme} $TOKEN"`
    : `--header ${shellQuoted(`${name}: ${value}`)}`
}

/**
 * The curl command that sends a request again. Its variables are URLs (the names of roles in capital letters), files (CA,
 * ADMIN_CERT, ADMIN_KEY, CLIENT_CERT, CLIENT_KEY) and TOKEN.
 *
 * @param data the word for the body, as `--data-binary` takes it; not used for a request without a body
 */
export function curlCommand(
  entry: WireEntry,
  roles: RunResult['target']['roles'],
  data: string,
): string {
  const { method, url, headers, body } = entry.request
  const words = [
    'curl --include --cacert "$CA"',
    ...certificateOf(entry),
    `--request ${shellQuoted(method)}`,
    ...Object.entries(headers)
      .filter(([name]) => !OWN_HEADERS.has(name.toLowerCase()))
      .map(([name, value]) => headerOf(name, value)),
    ...(body === undefined || body === '' ? [] : [`--data-binary ${data}`]),
    urlOf(url, roles),
  ]
  return words.join(' \\\n  ')
}

import { STATUS_CODES } from 'node:http'
import type {
  TranscriptEntry,
  WireEntry,
} from '../../conformance/report/transcripts/transcript-entry.ts'
import type { Recording, TextFile } from './recording.ts'

/** Headers that curl sets itself. */
const OWN_HEADERS: ReadonlySet<string> = new Set(['host', 'content-length', 'connection'])

/** Quotes a word for a POSIX shell. */
const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`

const bodyPath = (at: number): string => `bodies/${String(at + 1).padStart(3, '0')}.txt`

/** The URL with the variable of the role that served it. */
function urlOf(url: string, { result }: Recording): string {
  const role = result.target.roles.find((one) => one.url !== undefined && url.startsWith(one.url))
  if (role?.url === undefined) return quoted(url)
  const rest = url.slice(role.url.length)
  return `"$${role.role.toUpperCase()}"${rest === '' ? '' : quoted(rest)}`
}

function certificateOf({ speaker, tls }: WireEntry): readonly string[] {
  if (tls?.client_certificate === undefined) return []
  const name = speaker === 'admin' ? 'ADMIN' : 'CLIENT'
  return [`--cert "$${name}_CERT"`, `--key "$${name}_KEY"`]
}

function headerOf(name: string, value: string): string {
  if (!value.includes('[redacted ')) return `--header ${quoted(`${name}: ${value}`)}`
  const [scheme = ''] = value.split(' ')
  return name.toLowerCase() === 'authorization'
    ? `--header "${name}: ${scheme} $TOKEN"`
    : `--header ${quoted(`${name}: ${value}`)}`
}

function lineOf(entry: WireEntry, at: number, recording: Recording): string {
  const { method, url, headers, body } = entry.request
  const words = [
    'curl --include --cacert "$CA"',
    ...certificateOf(entry),
    `--request ${quoted(method)}`,
    ...Object.entries(headers)
      .filter(([name]) => !OWN_HEADERS.has(name.toLowerCase()))
      .map(([name, value]) => headerOf(name, value)),
    ...(body === undefined || body === '' ? [] : [`--data-binary @${bodyPath(at)}`]),
    urlOf(url, recording),
  ]
  const { response, failure } = entry
  const answer = response
    ? `${response.status} ${STATUS_CODES[response.status] ?? ''}`.trim()
    : `no response${failure === undefined ? '' : `: ${failure}`}`
  const comment = `# ${at + 1}: ${entry.speaker}; received then: ${answer}`
  return `${comment.replace(/\s+/g, ' ')}\n${words.join(' \\\n  ')}\n`
}

const HEAD = `#!/bin/sh
# The requests of this scenario, in their order, for reading and for repeating single ones. Nonces, blobs and signatures
# are those of the recording: a request that answers a fresh challenge is refused when it is sent again.
# Set before: VERIFIER and REGISTRAR (URLs), CA, ADMIN_CERT, ADMIN_KEY (files), and TOKEN (of a session).
`

const isWire = (entry: TranscriptEntry): entry is WireEntry => entry.lane === 'wire'

/** `requests.sh` with one curl command for each request, and the bodies that it sends. */
export function presentRequests(recording: Recording): readonly TextFile[] {
  const exchanges = recording.kept.transcript.flatMap((entry, at) =>
    isWire(entry) ? [{ entry, at }] : [],
  )
  const lines = exchanges.map(({ entry, at }) => lineOf(entry, at, recording))
  const bodies = exchanges.flatMap(({ entry: { request }, at }) =>
    request.body ? [{ path: bodyPath(at), text: request.body }] : [],
  )
  return [{ path: 'requests.sh', text: [HEAD, ...lines].join('\n') }, ...bodies]
}

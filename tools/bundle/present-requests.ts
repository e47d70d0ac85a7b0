import { STATUS_CODES } from 'node:http'
import { curlCommand } from '../../conformance/report/transcripts/curl-command.ts'
import type {
  TranscriptEntry,
  WireEntry,
} from '../../conformance/report/transcripts/transcript-entry.ts'
import type { Recording, TextFile } from './recording.ts'

const bodyPath = (at: number): string => `bodies/${String(at + 1).padStart(3, '0')}.txt`

function lineOf(entry: WireEntry, at: number, { result }: Recording): string {
  const { response, failure } = entry
  const answer = response
    ? `${response.status} ${STATUS_CODES[response.status] ?? ''}`.trim()
    : `no response${failure === undefined ? '' : `: ${failure}`}`
  const comment = `# ${at + 1}: ${entry.speaker}; received then: ${answer}`
  const command = curlCommand(entry, result.target.roles, `@${bodyPath(at)}`)
  return `${comment.replace(/\s+/g, ' ')}\n${command}\n`
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

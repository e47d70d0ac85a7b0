import type { Exchange } from '../../simulator/services/service.ts'
import { recordable, type Transcript } from '../client/transcript.ts'
import type { WireRequest } from '../report/transcripts/transcript-entry.ts'
import { visibleLine } from '../report/visible.ts'

/** Adds a request of the subject to a simulated server, and its answer, to the transcript. */
export function recordRequest(
  transcript: Transcript,
  { request: received, answer }: Exchange,
  { credentials, peer }: { readonly credentials: string; readonly peer: string },
): void {
  if (received.method === '') {
    const sent = visibleLine(received.url)
    transcript.note(
      `${credentials} sent bytes to the ${peer} that are no HTTP, beginning with: ${sent}`,
    )
    return
  }
  const request: WireRequest = {
    method: received.method,
    url: `${received.tls ? 'https' : 'http'}://${peer}${received.url}`,
    headers: received.headers,
    ...(received.body === '' ? {} : { body: recordable(received.body) }),
  }
  const head = {
    lane: 'wire',
    at_ms: transcript.elapsed(),
    ms: 0,
    speaker: credentials,
    request,
    by_subject: true,
  } as const
  if (answer === 'reset') {
    transcript.add({ ...head, failure: 'the harness cut the connection' })
    return
  }
  const { status, headers = {}, body = '' } = answer
  const response = { status, headers, body: recordable(JSON.stringify(body)) }
  transcript.add({ ...head, response })
}

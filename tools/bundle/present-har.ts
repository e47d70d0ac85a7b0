import { STATUS_CODES } from 'node:http'
import type { WireEntry } from '../../conformance/report/transcripts/transcript-entry.ts'
import type { Recording } from './recording.ts'

type Headers = Readonly<Record<string, string>>

const listed = (headers: Headers) =>
  Object.entries(headers).map(([name, value]) => ({ name, value }))

const typeOf = (headers: Headers): string =>
  Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''

/** Members that HAR requires and that say nothing here: no version, cookies or sizes were recorded. */
const UNKNOWN = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1, bodySize: -1 }

function requestOf({ method, url, headers, body }: WireEntry['request']) {
  const query = URL.canParse(url) ? [...new URL(url).searchParams] : []
  return {
    ...{ method, url, ...UNKNOWN, headers: listed(headers) },
    queryString: query.map(([name, value]) => ({ name, value })),
    ...(body === undefined ? {} : { postData: { mimeType: typeOf(headers), text: body } }),
  }
}

/** A request without a response has the status 0, as browsers export it. */
function responseOf({ response, failure }: WireEntry) {
  const { status = 0, headers = {}, body = '' } = response ?? {}
  return {
    ...{ status, statusText: STATUS_CODES[status] ?? '', ...UNKNOWN, headers: listed(headers) },
    content: { size: Buffer.byteLength(body), mimeType: typeOf(headers), text: body },
    redirectURL: '',
    ...(failure === undefined ? {} : { comment: failure }),
  }
}

/** The exchanges as HTTP Archive 1.2. Times count from the start of the run: the start of a scenario is not recorded. */
export function presentHar({ kept, result }: Recording): string {
  const began = Date.parse(result.started_at)
  const exchanges = kept.transcript.filter((entry) => entry.lane === 'wire')
  const entries = exchanges.map((entry) => ({
    startedDateTime: new Date(began + entry.at_ms).toISOString(),
    time: entry.ms,
    request: requestOf(entry.request),
    response: responseOf(entry),
    cache: {},
    timings: { send: 0, wait: entry.ms, receive: 0 },
    comment: entry.speaker,
  }))
  const creator = { name: 'Assay', version: result.assay_version }
  return `${JSON.stringify({ log: { version: '1.2', creator, entries } }, null, 2)}\n`
}

import type { IncomingMessage } from 'node:http'
import { ApiError } from '../errors.ts'

/** A check that runs before authentication. */
interface RequestCheck {
  readonly id: string
  readonly why: string
  readonly run: (request: IncomingMessage) => ApiError | undefined
}

/** Far more than any client of the interface sends. */
const MAX_HEADERS = 100

/**
 * Headers whose second one Node would drop without a word: which of two counts must not be a matter of taste. Two of
 * Authorization are not a credential; their sender is anonymous.
 */
const ONCE = ['content-encoding', 'content-type', 'expect', 'host'] as const

const UTF_8 = new Set(['utf-8', 'utf8', 'us-ascii'])

/** The checks of each request, in this order. */
export const requestChecks: readonly RequestCheck[] = [
  {
    id: 'request.version',
    why: 'a request without headers has neither a sender nor a length',
    run: ({ httpVersion }) =>
      httpVersion === '1.1' || httpVersion === '1.0'
        ? undefined
        : malformed('The request is not HTTP/1.1.'),
  },
  {
    id: 'request.header-count',
    why: 'a hundred headers hide the one that counts',
    run: ({ rawHeaders }) =>
      rawHeaders.length / 2 > MAX_HEADERS
        ? new ApiError('headers_too_large', `The request has more than ${MAX_HEADERS} headers.`)
        : undefined,
  },
  {
    id: 'request.headers-once',
    why: 'of two different headers of one name one would be dropped',
    run: ({ rawHeaders }) => {
      const names = rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase())
      const twice = ONCE.find((name) => names.indexOf(name) !== names.lastIndexOf(name))
      return twice && malformed(`The request has more than one ${twice} header.`)
    },
  },
  {
    id: 'request.target',
    why: 'this is not a proxy, and a proxy request has no path of this server',
    run: ({ url = '' }) =>
      url.startsWith('/') && !url.includes('#')
        ? undefined
        : malformed('The request target must be a path.'),
  },
  {
    id: 'request.expectation',
    why: 'an unknown expectation cannot be met',
    run: ({ headers: { expect } }) =>
      expect === undefined || expect.toLowerCase() === '100-continue'
        ? undefined
        : new ApiError('expectation_failed', 'The only expectation that is met is 100-continue.'),
  },
  {
    id: 'request.transfer-coding',
    why: 'a body in two codings has a length for each',
    run: ({ headers: { 'transfer-encoding': coding }, httpVersion }) => {
      if (coding === undefined) return undefined
      if (httpVersion !== '1.1') return malformed('Transfer-Encoding came with HTTP/1.1.')
      if (coding.toLowerCase() === 'chunked') return undefined
      return new ApiError('not_implemented', 'The only transfer coding that is read is chunked.')
    },
  },
  {
    id: 'request.content-coding',
    why: 'a compressed body is as large as its sender likes (CVE-2022-23951)',
    run: ({ headers: { 'content-encoding': coding = 'identity' } }) =>
      coding.toLowerCase() === 'identity'
        ? undefined
        : new ApiError('unsupported_media_type', 'The request body must not be compressed.'),
  },
  {
    id: 'request.charset',
    why: 'between systems JSON is UTF-8, and the same bytes are another text in another charset',
    run: ({ headers: { 'content-type': type = '' } }) => {
      const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(type)?.[1]?.toLowerCase()
      return charset === undefined || UTF_8.has(charset)
        ? undefined
        : new ApiError('unsupported_media_type', 'The request body must be UTF-8.')
    },
  },
]

function malformed(detail: string): ApiError {
  return new ApiError('malformed_request', detail)
}

import type { FastifyError } from 'fastify'
import { ApiError, type ErrorCode } from '../errors.ts'

/** What fastify itself refuses, in our words. */
const REFUSALS: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: [
    'body_too_large',
    'The request body is larger than this path takes.',
  ],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    'malformed_request',
    'The request body is not as long as its Content-Length.',
  ],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media_type', 'The request body must be JSON.'],
  FST_ERR_BAD_URL: ['malformed_request', 'The path is not percent-encoded UTF-8.'],
  FST_ERR_MAX_PARAM_LENGTH: ['malformed_request', 'A segment of the path is too long.'],
}

/** The refusal that a thrown value stands for; an unexpected error is an internal fault, and its text is not sent. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  const { code = '' } = error as Partial<FastifyError>
  const refusal = Object.hasOwn(REFUSALS, code) ? REFUSALS[code] : undefined
  if (refusal !== undefined) return new ApiError(...refusal)
  return new ApiError('internal', 'The request could not be served.', { cause: error })
}

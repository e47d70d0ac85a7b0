import type { FastifyError } from 'fastify'
import { ApiError } from '../errors.ts'

/** What fastify itself refuses, in our words; anything else is a fault of ours and says nothing of it. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  const code = (error as Partial<FastifyError>).code
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new ApiError('body_too_large', 'The request body is larger than this server takes.')
  }
  if (error instanceof SyntaxError || code === 'FST_ERR_CTP_EMPTY_JSON_BODY') {
    return new ApiError('malformed_request', 'The request body is not JSON.')
  }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new ApiError('unsupported_media_type', 'The request body must be JSON.')
  }
  return new ApiError('internal', 'The request could not be served.', { cause: error })
}

import type { ApiError } from '../errors.ts'

export const DOCUMENT_MEDIA_TYPE = 'application/vnd.api+json'

/** Error body of the push endpoints: a list with one object, as upstream answers. */
export function presentDocumentError(error: ApiError): unknown {
  return {
    errors: [
      {
        status: String(error.status),
        code: error.code,
        title: error.title,
        detail: error.message,
        ...(error.pointer === undefined ? {} : { source: { pointer: error.pointer } }),
      },
    ],
  }
}

import type { ApiError } from '../errors.ts'

/** Response envelope of v2.x and of the registrar (interface document, "Response envelope"). */
interface Envelope {
  readonly code: number
  readonly status: string
  readonly results: unknown
}

export function presentEnvelope(code: number, results: unknown = {}): Envelope {
  return { code, status: 'Success', results }
}

/** The document shows no error body; the envelope's own promise for v2.x is kept (ambiguity ENVERR). */
export function presentEnvelopeError(error: ApiError): Envelope {
  return { code: error.status, status: error.message, results: {} }
}

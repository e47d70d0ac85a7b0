import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Answer } from '../api/call.ts'
import { DOCUMENT_MEDIA_TYPE, presentDocumentError } from '../api/document.ts'
import { presentEnvelope, presentEnvelopeError } from '../api/envelope.ts'
import type { ReplyForm } from '../api/routes/route.ts'
import type { ApiError } from '../errors.ts'
import { collect } from '../platform/collect.ts'
import { type FinalReply, hasUnreadBody, sendAndClose } from './limits/linger.ts'

/** One presenter pair per reply form: how success and refusal look on the wire. */
const FORMS = {
  envelope: {
    mediaType: 'application/json',
    success: (status: number, body: unknown) => presentEnvelope(status, body),
    failure: (error: ApiError) => presentEnvelopeError(error),
  },
  document: {
    mediaType: DOCUMENT_MEDIA_TYPE,
    success: (_status: number, body: unknown) => body,
    failure: (error: ApiError) => presentDocumentError(error),
  },
  file: {
    mediaType: 'application/json',
    success: (_status: number, body: unknown) => body,
    failure: (error: ApiError) => presentEnvelopeError(error),
  },
} as const satisfies Record<ReplyForm, object>

export async function sendAnswer(
  reply: FastifyReply,
  form: ReplyForm,
  answer: Answer,
): Promise<FastifyReply> {
  const status = answer.status ?? 200
  reply
    .code(status)
    .type(FORMS[form].mediaType)
    .headers(answer.headers ?? {})
  if (answer.elements !== undefined) {
    const text = documentOf(answer.elements)
    if (hasUnreadBody(reply.request.raw)) return send(reply, (await collect(text)).join(''))
    return reply
      .header('cache-control', 'no-store')
      .send(Readable.from(text, { objectMode: false }))
  }
  if (form === 'file') return send(reply, String(answer.body))
  return send(reply, JSON.stringify(FORMS[form].success(status, answer.body)))
}

/** A 401 names the scheme that would be taken (RFC 9110, 15.5.2). */
export function sendError(reply: FastifyReply, form: ReplyForm, error: ApiError): FastifyReply {
  if (error.status === 401) reply.header('www-authenticate', 'Bearer')
  if (error.retryAfter !== undefined) reply.header('retry-after', error.retryAfter)
  reply.code(error.status).type(FORMS[form].mediaType)
  return send(reply, JSON.stringify(FORMS[form].failure(error)))
}

/**
 * No answer is kept by a cache, and none leaves a connection on which half a body is still to come. Node writes headers
 * and a text in one piece, but headers and bytes in two.
 */
function send(reply: FastifyReply, body: string): FastifyReply {
  reply.header('cache-control', 'no-store')
  const { raw: request } = reply.request
  if (!hasUnreadBody(request)) return reply.serializer(asIs).send(body)
  const headers = reply.getHeaders() as FinalReply['headers']
  sendAndClose(request, reply.hijack().raw, {
    ...{ status: reply.statusCode, headers },
    body: Buffer.from(body),
  })
  return reply
}

/** A document with these elements, in pieces. */
async function* documentOf(elements: AsyncIterable<unknown>): AsyncGenerator<string> {
  let before = '{"data":['
  for await (const element of elements) {
    yield before + JSON.stringify(element)
    before = ','
  }
  yield before === ',' ? ']}' : '{"data":[]}'
}

/** The serializer of a text that is ready; without one fastify adds a charset, which neither media type has. */
const asIs = (text: unknown) => text as string

import { STATUS_CODES } from 'node:http'
import { expect, test } from 'vitest'
import { presentDocumentError } from './api/document.ts'
import { presentEnvelopeError } from './api/envelope.ts'
import { testServer } from './dev/testing/test-server.ts'
import { ApiError, ERROR_CODES } from './errors.ts'

const SECRET = 'what only the log may know'

function errorOf(code: (typeof ERROR_CODES)[number]): ApiError {
  return new ApiError(code, `Report of ${code}.`, { cause: new Error(SECRET) })
}

test.each(ERROR_CODES)(
  '%s in the envelope says its status twice and nothing of its cause',
  (code) => {
    const error = errorOf(code)
    const body = { code: error.status, status: `Report of ${code}.`, results: {} }
    expect(presentEnvelopeError(error)).toEqual(body)
  },
)

test.each(ERROR_CODES)(
  '%s in the document form is a list of one, with status, code and title',
  (code) => {
    const error = errorOf(code)
    const { status, title, message: detail } = error
    expect(presentDocumentError(error)).toEqual({
      errors: [{ status: String(status), code, title, detail }],
    })
  },
)

test.each(
  ERROR_CODES.flatMap((code) => [
    [code, '/v3/evaluate', 'application/json'],
    [code, '/v3/open', 'application/vnd.api+json'],
  ]),
)('%s on %s goes out with its status and the media type of its form', async (code, url, type) => {
  const error = errorOf(code as (typeof ERROR_CODES)[number])
  const { server } = testServer(() => {
    throw error
  })
  const reply = await server.inject({ method: 'POST', url, payload: '{}' })
  expect([reply.statusCode, reply.headers['content-type']]).toEqual([error.status, type])
  expect(reply.body).toContain(String(error.status))
  expect(reply.body).not.toContain(SECRET)
})

test.each(ERROR_CODES)('the title of %s is the reason phrase of its status', (code) => {
  const { status, title } = errorOf(code)
  const renamed = { 413: 'Content Too Large', 422: 'Unprocessable Content' }
  expect(title).toBe({ ...STATUS_CODES, ...renamed }[status])
})

import { expect, test } from 'vitest'
import { readReplies } from './read-replies.ts'

const read = (text: string) => readReplies(Buffer.from(text))
const ok = (body: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`

test('successive responses are read in order', () => {
  const { replies, whole } = read(ok('one') + ok(''))
  expect(replies.map(({ text }) => text)).toEqual(['one', ''])
  expect([replies[0]?.headers, whole]).toEqual([{ 'content-length': '3' }, true])
})

test('an interim response is not a final response', () => {
  const { replies, interim } = read(`HTTP/1.1 100 Continue\r\n\r\n${ok('a')}`)
  expect([replies.length, interim]).toEqual([1, [100]])
})

test('chunks are joined', () => {
  const chunked =
    'HTTP/1.1 400 Bad\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1;x=y\r\nc\r\n0\r\n\r\n'
  expect(read(chunked).replies).toMatchObject([{ status: 400, text: 'abc' }])
})

test.each([
  ['in its head', 'HTTP/1.1 200 OK\r\ncontent-le'],
  ['in its body', ok('body').slice(0, -1)],
  ['in a chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab'],
  ['before the last chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n'],
])('a response truncated %s is incomplete', (_, text) => {
  expect(read(text)).toMatchObject({ replies: [], whole: false })
})

test('bytes that are not HTTP give no response', () => {
  expect(read('hello\r\n\r\n')).toMatchObject({ replies: [], whole: false })
})

test('a response to HEAD has no body', () => {
  const { replies, whole } = readReplies(Buffer.from(ok('body').slice(0, -4)), true)
  expect([replies.map(({ text }) => text), whole]).toEqual([[''], true])
})

test.each([
  ['a chunk size', 'transfer-encoding: chunked\r\n\r\n-6\r\n'],
  ['a Content-Length', 'content-length: -40\r\n\r\n'],
])('%s below zero does not lead back to bytes that were read', (_, rest) => {
  const bytes = Buffer.from(`HTTP/1.1 200 OK\r\n${rest}`)
  expect(readReplies(bytes)).toEqual({ replies: [], interim: [], whole: false })
})

import { EventEmitter, once } from 'node:events'
import { expect, test } from 'vitest'
import { DOCUMENT_MEDIA_TYPE } from '../api/document.ts'
import { connected, listeningServer } from '../dev/testing/listening.ts'
import { testServer } from '../dev/testing/test-server.ts'

test.each<[number, string]>([
  [0, '{"data":[]}'],
  [1, '{"data":[{"id":0}]}'],
  [3, '{"data":[{"id":0},{"id":1},{"id":2}]}'],
])('%i elements of a list that is sent as it is read make one document', async (count, text) => {
  const { server: listing } = testServer(() => ({ elements: counted(count) }))
  const reply = await listing.inject({ method: 'POST', url: '/v3/open' })
  expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, DOCUMENT_MEDIA_TYPE])
  expect(reply.payload).toBe(text)
})

test('a list is read no further than its client wants it', async () => {
  const ended = new EventEmitter()
  const end = once(ended, 'end')
  const { port } = await listeningServer({}, () => ({ elements: endless(ended) }))
  const client = await connected(port)
  client.write('POST /v3/open HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n')
  await once(client, 'data')
  client.destroy()
  const [elements] = await end
  expect(elements).toBeLessThan(100)
})

async function* counted(count: number) {
  for (let id = 0; id < count; id++) yield { id }
}

async function* endless(ended: EventEmitter) {
  let id = 0
  try {
    for (;;) yield { id: id++, text: 'x'.repeat(65_536) }
  } finally {
    ended.emit('end', id)
  }
}

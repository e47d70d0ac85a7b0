import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { whenSent } from './when-sent.ts'

/** A connection with this many requests on it; their responses wait until the test answers or ends them. */
async function pipelined(count: number) {
  const responses: ServerResponse[] = []
  const server = createServer((_, response) => {
    responses.push(response)
    if (responses.length === count) server.emit('all')
  })
  onTestFinished(() => void server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  onTestFinished(() => void client.destroy())
  const all = once(server, 'all')
  client.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n'.repeat(count))
  await all
  return { client, responses }
}

function responseAt(responses: readonly ServerResponse[], at: number): ServerResponse {
  const response = responses[at]
  if (response === undefined) throw new Error(`there is no response ${at}`)
  return response
}

/** Resolves when a connection is gone, also by a reset. */
function goneOf({ req: { socket } }: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    socket.once('close', () => resolve())
  })
}

/** The number of runs of some work after a response. */
function counting(response: ServerResponse) {
  const counted = { runs: 0, first: Promise.resolve() }
  counted.first = new Promise((resolve) => {
    whenSent(response, () => {
      counted.runs += 1
      resolve()
    })
  })
  return counted
}

test('work waits for the response, runs once, and leaves nothing at the connection', async () => {
  const { client, responses } = await pipelined(1)
  const response = responseAt(responses, 0)
  const { socket } = response.req
  const before = socket.listeners('close')
  const work = counting(response)
  const added = socket.listeners('close').filter((one) => !before.includes(one))
  expect({ runs: work.runs, added: added.length }).toEqual({ runs: 0, added: 1 })
  response.end()
  await work.first
  expect(socket.listeners('close').filter((one) => added.includes(one))).toEqual([])
  const gone = goneOf(response)
  client.destroy()
  await gone
  expect(work.runs).toBe(1)
})

test.each([
  ['the response that is sent', 0],
  ['one that waits behind another', 1],
])('the end of the connection is the end of %s', async (_, at) => {
  const { client, responses } = await pipelined(2)
  const work = counting(responseAt(responses, at))
  client.destroy()
  await work.first
  expect(work.runs).toBe(1)
})

test('a response whose connection is gone already holds nothing up', async () => {
  const { client, responses } = await pipelined(2)
  const gone = goneOf(responseAt(responses, 0))
  client.destroy()
  await gone
  for (const response of responses) expect(counting(response).runs).toBe(1)
})

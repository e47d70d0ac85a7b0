import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { publicBodies } from './public-bodies.ts'

const MOST = 16 * 2 ** 20

/** Bodies with room for one of the largest; `ask` gives what ends the response. */
function bodies() {
  const { admit } = publicBodies(MOST)
  return (headers: Readonly<Record<string, string>>) => {
    const response = new EventEmitter()
    admit({ headers } as unknown as IncomingMessage, response as ServerResponse, MOST)
    return () => response.emit('close')
  }
}

const length = (bytes: number) => ({ 'content-length': String(bytes) })

test('a body for which there is no room is refused with the time to retry, until another is answered', () => {
  const ask = bodies()
  const answer = ask(length(MOST))
  expect(() => ask(length(20_000))).toThrow(
    expect.objectContaining({ status: 503, code: 'bodies_full', retryAfter: 5 }),
  )
  answer()
  ask(length(20_000))
})

test('what agents send before they are known always has room', () => {
  const ask = bodies()
  ask(length(MOST))
  for (let count = 0; count < 1000; count++) ask(length(16 * 1024))
  ask({})
})

test('a body without a length takes the room of the largest, and one that is too large takes none', () => {
  const ask = bodies()
  ask(length(MOST + 1))
  ask({ 'transfer-encoding': 'chunked' })
  expect(() => ask({ 'transfer-encoding': 'chunked' })).toThrow('ask again')
})

/** Bodies whose pauses end when the test says so; each parse takes ten milliseconds. */
function paced() {
  let now = 0
  const pauses: { readonly wait: number; readonly end: () => void }[] = []
  const pause = (wait: number) =>
    new Promise<void>((end) => {
      pauses.push({ wait, end })
    })
  const { parse } = publicBodies(MOST, { now: () => now, pause })
  const done: string[] = []
  const read = (name: string, bytes: number) =>
    parse(bytes, () => {
      now += 10
      done.push(name)
      if (name === 'broken') throw new Error('not JSON')
      return name
    })
  return { done, pauses, read }
}

test('large bodies are parsed one after the other, with pauses, and small ones at once', async () => {
  const { done, pauses, read } = paced()
  await expect(read('broken', MOST)).rejects.toThrow('not JSON')
  const second = read('second', MOST)
  expect(await read('small', 100)).toBe('small')
  expect(done).toEqual(['broken', 'small'])
  expect(pauses.map(({ wait }) => wait)).toEqual([500])
  pauses[0]?.end()
  expect(await second).toBe('second')
})

import { EventEmitter, once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { sendAndClose } from './linger.ts'

const NOTHING = { status: 413, headers: {}, body: new Uint8Array() }

/** A request whose body is still under way when it is answered, beside the others of `thrownAway`. */
function answered(thrownAway: Set<IncomingMessage>) {
  const request = new PassThrough()
  const response = Object.assign(new EventEmitter(), {
    writeHead: () => undefined,
    write: () => undefined,
    end: () => undefined,
  })
  const [received, reply] = [request as unknown as IncomingMessage, response as unknown]
  sendAndClose(received, reply as ServerResponse, NOTHING, thrownAway)
  response.emit('close')
  return request
}

test('the bodies of two refused requests are thrown away at a time, and the next once one has ended', async () => {
  const thrownAway = new Set<IncomingMessage>()
  const [first, second, third] = [answered(thrownAway), answered(thrownAway), answered(thrownAway)]
  expect([first, second, third].map(({ readableFlowing }) => readableFlowing)).toEqual([
    ...[true, true, null],
  ])
  second.end()
  await once(second, 'end')
  expect(answered(thrownAway).readableFlowing).toBe(true)
  expect(answered(thrownAway).readableFlowing).toBe(null)
})

test('a body is thrown away in stretches of 256 KB with a pause behind each, to its end', async () => {
  const request = answered(new Set())
  const written = async (bytes: number, event: string) => {
    const seen = once(request, event)
    request.write(Buffer.alloc(bytes))
    await seen
  }
  await written(255 * 1024, 'data')
  expect(request.isPaused()).toBe(false)
  await written(1024, 'pause')
  request.end()
  await once(request, 'end')
})

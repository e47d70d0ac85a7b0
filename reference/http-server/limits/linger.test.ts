import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { sendAndClose } from './linger.ts'

const NOTHING = { status: 413, headers: {}, body: new Uint8Array() }

/** A request whose body is still under way when it is answered, beside the others of `thrownAway`. */
function answered(thrownAway: Set<IncomingMessage>) {
  let isResumed = false
  const request = Object.assign(new EventEmitter(), {
    resume: () => {
      isResumed = true
    },
  })
  const response = Object.assign(new EventEmitter(), {
    writeHead: () => undefined,
    write: () => undefined,
    end: () => undefined,
  })
  const [received, reply] = [request as unknown as IncomingMessage, response as unknown]
  sendAndClose(received, reply as ServerResponse, NOTHING, thrownAway)
  response.emit('close')
  return { isResumed, request }
}

test('the bodies of two refused requests are thrown away at a time, and the next once one has ended', () => {
  const thrownAway = new Set<IncomingMessage>()
  const [first, second, third] = [1, 2, 3].map(() => answered(thrownAway))
  expect([first, second, third].map((each) => each?.isResumed)).toEqual([true, true, false])
  second?.request.emit('end')
  expect(answered(thrownAway).isResumed).toBe(true)
  expect(answered(thrownAway).isResumed).toBe(false)
})

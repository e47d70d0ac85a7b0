import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { sendAndClose } from './linger.ts'

/** A request whose body is still under way when it is answered. */
function answered() {
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
  onTestFinished(() => {
    request.emit('close')
    response.emit('close')
  })
  sendAndClose(request as unknown as IncomingMessage, response as unknown as ServerResponse, {
    ...{ status: 413, headers: {}, body: new Uint8Array() },
  })
  return { isResumed, request }
}

test('the bodies of two refused requests are thrown away at a time, and the next once one has ended', () => {
  const [first, second, third] = [answered(), answered(), answered()]
  expect([first, second, third].map(({ isResumed }) => isResumed)).toEqual([true, true, false])
  second.request.emit('end')
  expect(answered().isResumed).toBe(true)
  expect(answered().isResumed).toBe(false)
})

import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { whenSent } from './when-sent.ts'

function response(state: { closed: boolean; destroyed: boolean }): ServerResponse {
  return Object.assign(new EventEmitter(), state) as unknown as ServerResponse
}

test('work waits for the response, and runs once', () => {
  const open = response({ closed: false, destroyed: false })
  let runs = 0
  whenSent(open, () => (runs += 1))
  expect(runs).toBe(0)
  open.emit('close')
  open.emit('close')
  expect(runs).toBe(1)
})

test.each([
  ['closed', { closed: true, destroyed: false }],
  ['destroyed', { closed: false, destroyed: true }],
])('a response that is %s already holds nothing up', (_, state) => {
  let runs = 0
  whenSent(response(state), () => (runs += 1))
  expect(runs).toBe(1)
})

import { expect, test } from 'vitest'
import { Overslept } from '../attempt/endings.ts'
import type { Reply } from '../attempt/reply.ts'
import { inTime } from './lock-out.ts'

const INTERVAL = { quoteIntervalMs: 1000 }
const after = (ms: number) => ({ silentMs: () => ms })
const reply = (status: number) => ({ status }) as Reply
const refused = () => Promise.resolve(reply(403))

test('a refusal before the time is over is the answer', async () => {
  expect(await inTime(INTERVAL, after(4999), refused)).toEqual(reply(403))
})

test('a refusal after it is that of a harness that was late', async () => {
  await expect(inTime(INTERVAL, after(5000), refused)).rejects.toThrow(Overslept)
})

test('what is granted after it is granted all the same', async () => {
  const granted = () => Promise.resolve(reply(201))
  expect(await inTime(INTERVAL, after(5000), granted)).toEqual(reply(201))
})

test('a step that fails before the time is over has failed', async () => {
  const failing = () => Promise.reject(new Error('no answer'))
  await expect(inTime(INTERVAL, after(4999), failing)).rejects.toThrow('no answer')
  await expect(inTime(INTERVAL, after(5000), failing)).rejects.toThrow(Overslept)
})

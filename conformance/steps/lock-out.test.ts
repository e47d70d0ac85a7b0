import { expect, test } from 'vitest'
import { Overslept } from '../attempt/endings.ts'
import type { Reply } from '../attempt/reply.ts'
import { inTime } from './lock-out.ts'

const INTERVAL = { quoteIntervalMs: 1000 }
const after = (ms: number) => ({ silentMs: () => ms })
const reply = (status: number) => ({ status }) as Reply
const refused = () => Promise.resolve(reply(403))

test('a refusal within the limit is the result', async () => {
  expect(await inTime(INTERVAL, after(4999), refused)).toEqual(reply(403))
})

test('a refusal after the limit means that the harness was late', async () => {
  await expect(inTime(INTERVAL, after(5000), refused)).rejects.toThrow(Overslept)
})

test('a success after the limit is the result', async () => {
  const granted = () => Promise.resolve(reply(201))
  expect(await inTime(INTERVAL, after(5000), granted)).toEqual(reply(201))
})

test('an error within the limit is passed on', async () => {
  const failing = () => Promise.reject(new Error('no answer'))
  await expect(inTime(INTERVAL, after(4999), failing)).rejects.toThrow('no answer')
  await expect(inTime(INTERVAL, after(5000), failing)).rejects.toThrow(Overslept)
})

import { expect, test } from 'vitest'
import { Passing, pausesOf, withBackoff } from './backoff.ts'

const BACKOFF = { initialDelay: 10_000, maxRetries: 5, maxDelay: 100_000 }

function retrying(failures: readonly Error[]) {
  const waited: number[] = []
  const left = [...failures]
  const run = () =>
    withBackoff(
      { backoff: BACKOFF, wait: async (ms) => waited.push(ms), onPause: () => undefined },
      async () => {
        const failure = left.shift()
        if (failure !== undefined) throw failure
        return 'done'
      },
    )
  return { run, waited }
}

test('each pause is twice as long as the one before, up to the longest', () => {
  expect(pausesOf(BACKOFF)).toEqual([10_000, 20_000, 40_000, 80_000, 100_000])
})

test('what passes is tried again', async () => {
  const { run, waited } = retrying([new Passing(), new Passing()])
  expect(await run()).toBe('done')
  expect(waited).toEqual([10_000, 20_000])
})

test('a permanent failure ends it at once', async () => {
  const { run, waited } = retrying([new Error('refused')])
  await expect(run()).rejects.toThrow('refused')
  expect(waited).toEqual([])
})

test('after the last pause it is given up', async () => {
  const { run, waited } = retrying(Array.from({ length: 6 }, () => new Passing('away')))
  await expect(run()).rejects.toThrow('away')
  expect(waited).toHaveLength(5)
})

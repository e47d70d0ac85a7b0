import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { reportWhile } from './report-while.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.unstubAllEnvs()
  vi.useRealTimers()
})

/** What is written while a command of twelve seconds runs. */
async function written(stream: { readonly isTTY?: boolean; readonly columns?: number }) {
  const texts: string[] = []
  const out = { write: (text: string) => texts.push(text), ...stream } as never
  const work = new Promise((resolve) => setTimeout(resolve, 12_000, 'done'))
  const reported = reportWhile(work, (seconds) => `npm ci, ${seconds} s`, out)
  await vi.advanceTimersByTimeAsync(12_000)
  expect(await reported).toBe('done')
  await vi.advanceTimersByTimeAsync(60_000)
  return texts
}

test('without a terminal a command writes a line every five seconds', async () => {
  expect(await written({})).toEqual(['npm ci, 5 s\n', 'npm ci, 10 s\n'])
})

test('on a terminal one line changes, and is removed at the end', async () => {
  vi.stubEnv('CI', '')
  const texts = await written({ isTTY: true, columns: 10 })
  expect([texts[1], texts.at(-1)]).toEqual(['\r\x1b[Knpm ci, 1', '\r\x1b[K'])
})

test('in CI a terminal gets lines', async () => {
  vi.stubEnv('CI', 'true')
  expect(await written({ isTTY: true })).toHaveLength(2)
})

test('a command that fails leaves no line behind', async () => {
  const texts: string[] = []
  const out = { write: (text: string) => texts.push(text) } as never
  await expect(reportWhile(Promise.reject(new Error('no')), () => 'x', out)).rejects.toThrow('no')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(texts).toEqual([])
})

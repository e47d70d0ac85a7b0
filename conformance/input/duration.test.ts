import { expect, test } from 'vitest'
import { parseDuration, presentDuration } from './duration.ts'
import { SetupFault } from './fault.ts'

test.each([
  ['250ms', 250],
  ['2s', 2000],
  ['1.5s', 1500],
  ['5m', 300_000],
])('%s is %i milliseconds', (text, ms) => {
  expect(parseDuration(text)).toBe(ms)
})

test.each(['2', 's', '2 s', '-2s', '2h', '1e3ms', ''])('"%s" is refused', (text) => {
  expect(() => parseDuration(text)).toThrow(SetupFault)
})

test('a duration below one second is presented in milliseconds, any other in seconds', () => {
  expect([presentDuration(250), presentDuration(1500), presentDuration(20_000)]).toEqual([
    '250 ms',
    '1.5 s',
    '20 s',
  ])
})

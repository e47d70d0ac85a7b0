import { expect, test } from 'vitest'
import type { CheckResult } from '../report/result.ts'
import { makeCheck } from './check.ts'

const collect = () => {
  const results: CheckResult[] = []
  const check = makeCheck(['REQ'], { lastExchange: () => 4, add: (result) => results.push(result) })
  return { check, results }
}

test('a check records both values, the requirement and the index of the exchange', () => {
  const { check, results } = collect()
  check('REQ', 'evaluation').of('pass').is('fail')
  expect(results).toEqual([
    {
      requirement: 'REQ',
      what: 'evaluation',
      expected: '"fail"',
      received: '"pass"',
      ok: false,
      at: 4,
    },
  ])
})

test.each([
  [undefined, false, 'absent, as the answer was HTTP 500'],
  [undefined, true, 'absent'],
  [Number.NaN, false, 'absent, as the answer was HTTP 500'],
  ['fail', false, '"fail"'],
])('of a value that is absent a failed check says why: %j, %j', (value, ok, received) => {
  const results: CheckResult[] = []
  const sink = { lastExchange: () => 4, unreadAnswer: () => 'HTTP 500' }
  const check = makeCheck(['REQ'], { ...sink, add: (result) => results.push(result) })
  check('REQ', 'evaluation')
    .of(value)
    .matches('something', () => ok)
  expect(results).toMatchObject([{ received, ok }])
})

test('a check for a requirement that the scenario does not declare throws', () => {
  const { check } = collect()
  expect(() => check('OTHER', 'evaluation')).toThrow('does not declare the requirement OTHER')
})

test('an absent value is shown as absent and differs from null', () => {
  const { check, results } = collect()
  check('REQ', 'token').of<unknown>(undefined).is(null)
  expect(results[0]).toMatchObject({ expected: 'null', received: 'absent', ok: false })
})

test('the order of object members does not matter', () => {
  const { check, results } = collect()
  check('REQ', 'results')
    .of<unknown>({ a: 1, b: [2] })
    .is({ b: [2], a: 1 })
  expect(results[0]?.ok).toBe(true)
})

test('a number differs from its decimal string', () => {
  const { check, results } = collect()
  check('REQ', 'port').of<unknown>('9002').is(9002)
  expect(results[0]?.ok).toBe(false)
})

test('isOneOf passes if one value matches', () => {
  const { check, results } = collect()
  check('REQ', 'port').of<unknown>('9002').isOneOf([9002, '9002'])
  expect(results[0]).toMatchObject({ expected: 'one of 9002, "9002"', ok: true })
})

const READINGS = {
  refused: (status: number) => status >= 400 && status < 500,
  served: (status: number) => status === 200,
}

test.each([
  [200, { ok: true, reading: 'served' }],
  [404, { ok: true, reading: 'refused' }],
  [500, { ok: false, expected: 'refused, or served' }],
])('status %d meets one of two readings, or none', (status, expected) => {
  const { check, results } = collect()
  check('REQ', 'status').of(status).meets(READINGS)
  expect(results).toMatchObject([expected])
  expect('reading' in (results[0] ?? {})).toBe(expected.ok)
})

test('a reading that the row of an either requirement lacks throws', () => {
  const sink = { lastExchange: () => 0, add: () => undefined }
  const check = makeCheck(['REQ'], sink, () => ({ strength: 'either', readings: ['refused'] }))
  expect(() => check('REQ', 'status').of(200).meets(READINGS)).toThrow(
    'the requirement REQ has no reading "served"',
  )
})

import { expect, test } from 'vitest'
import { makeCheck } from '../attempt/check.ts'
import { type CatalogueRow, type FieldRow, readingsOf } from '../catalogue/requirement.ts'
import type { Strength } from '../report/requirement-result.ts'
import type { CheckResult } from '../report/result.ts'
import { checkFields, fits } from './check-fields.ts'
import { selectPath } from './select-path.ts'

const BODY = {
  results: { uuids: ['a', 'b'], empty: [] },
  data: {
    list: [
      { type: 'x', value: 1 },
      { type: 'y', value: null },
    ],
  },
}

test.each([
  ['results.uuids', [['a', 'b']]],
  ['results.uuids[]', ['a', 'b']],
  ['results.empty[]', []],
  ['results.none', [undefined]],
  ['results.none[]', [undefined]],
  ['data.list[].value', [1, null]],
  ['data.list[type=y].value', [null]],
  ['data.list[type=z].value', [undefined]],
  ['results.__proto__', [undefined]],
])('%s selects its values', (path, values) => {
  expect(selectPath(BODY, path)).toEqual(values)
})

test.each([
  ['string', 'a', true],
  ['string', null, false],
  ['null-or-string', null, true],
  ['integer', 1, true],
  ['integer', '1', false],
  ['object', [], false],
  ['array', [], true],
  ['string', undefined, false],
  ['absent-or-null', undefined, true],
])('%s fits %j: %s', (type, value, expected) => {
  expect(fits({ type }, value)).toBe(expected)
})

test('a value outside the closed set does not fit', () => {
  const field = { type: 'string', values: ['pass', 'fail'] }
  expect([fits(field, 'pass'), fits(field, 'maybe')]).toEqual([true, false])
})

const row = (field: Partial<FieldRow>): CatalogueRow => ({
  id: 'REQ',
  component: 'verifier',
  since: '3.0',
  lines: [1],
  says: 'It is so',
  strength: 'fixed',
  judged: 'wire',
  field: { reply: 'session.create', path: 'a', type: 'string', ...field },
})
const checkBody = (
  field: Partial<FieldRow>,
  body: unknown,
  conditions: never[] | ['evaluation is pass'] = [],
  strength: Strength = 'fixed',
) => {
  const results: CheckResult[] = []
  const only = { ...row(field), strength }
  const sink = { lastExchange: () => 0, add: (result: CheckResult) => results.push(result) }
  const check = makeCheck(['REQ'], sink, () => ({ strength, readings: readingsOf(only) }))
  checkFields(check, {
    rows: [only],
    reply: 'session.create',
    version: '3.0',
    body,
    conditions,
  })
  return results
}

test('a member of the right type passes and reports its path', () => {
  expect(checkBody({}, { a: 'x' })).toMatchObject([{ what: 'a', expected: 'string', ok: true }])
})

test('the code of the envelope is the HTTP status', () => {
  const results: CheckResult[] = []
  const check = makeCheck(['REQ'], { lastExchange: () => 0, add: (result) => results.push(result) })
  const rows = [row({ path: 'code', type: 'integer' })]
  const reply = {
    rows,
    reply: 'session.create',
    version: '3.0',
    body: { code: 200 },
    conditions: [],
  } as const
  for (const status of [200, 404]) checkFields(check, { ...reply, status })
  expect(results).toMatchObject([{ ok: true }, { expected: 'integer: 404', ok: false }])
})

test('a missing member fails and is shown as absent', () => {
  expect(checkBody({}, {})).toMatchObject([{ received: 'absent', ok: false }])
})

test('an optional member is checked only if present', () => {
  expect(checkBody({ when: 'the member is there' }, {})).toEqual([])
  expect(checkBody({ when: 'the member is there' }, { a: 1 })).toMatchObject([{ ok: false }])
})

test('a row with a condition is checked only if the condition holds', () => {
  expect(checkBody({ when: 'evaluation is pass' }, {})).toEqual([])
  expect(checkBody({ when: 'evaluation is pass' }, {}, ['evaluation is pass'])).toMatchObject([
    { ok: false },
  ])
})

test('a wrong array element is the one that is shown', () => {
  expect(checkBody({ path: 'a[]' }, { a: ['x', 5] })).toMatchObject([{ received: '5', ok: false }])
})

test.each([
  [{ type: 'string-or-null' }, { a: 'x' }, { reading: 'string', ok: true }],
  [{ type: 'string-or-null' }, { a: null }, { reading: 'null', ok: true }],
  [{ type: 'string-or-null' }, { a: 1 }, { expected: 'string or null', ok: false }],
  [{ type: 'string-or-null', values: ['x'] }, { a: 'x' }, { reading: 'string', ok: true }],
  [
    { type: 'string-or-null', values: ['x'] },
    { a: 'y' },
    { expected: 'string or null: "x"', ok: false },
  ],
  [{ or: 'b' }, { a: 'x' }, { reading: 'a', ok: true }],
  [{ or: 'b' }, { b: 'x' }, { reading: 'b', ok: true }],
  [{ or: 'b' }, { b: 1 }, { expected: 'a, or b', ok: false }],
  [{ or: 'b' }, {}, { expected: 'a, or b', ok: false }],
])('an either row (%j) names the reading that %j meets, or fails', (field, body, result) => {
  const results = checkBody(field, body, [], 'either')
  expect(results).toMatchObject([result])
  expect('reading' in (results[0] ?? {})).toBe(result.ok)
})

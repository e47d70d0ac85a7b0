import fc from 'fast-check'
import { expect, test } from 'vitest'
import { prettyJson } from './pretty-json.ts'

test('an object is formatted with two spaces', () => {
  expect(prettyJson('{"a":{"b":1},"c":{},"d":[]}')).toBe(
    '{\n  "a": {\n    "b": 1\n  },\n  "c": {},\n  "d": []\n}',
  )
})

test('long numbers, repeated names and escapes stay as they were received', () => {
  expect(prettyJson('{"a":18446744073709551615,"a":1.0e3,"b":"\\u0041"}')).toBe(
    '{\n  "a": 18446744073709551615,\n  "a": 1.0e3,\n  "b": "\\u0041"\n}',
  )
})

test('a short list of scalars stays on one line, a long one does not', () => {
  expect(prettyJson('[0,1,"a b"]')).toBe('[0, 1, "a b"]')
  expect(prettyJson(`["${'x'.repeat(70)}",1]`)).toBe(`[\n  "${'x'.repeat(70)}",\n  1\n]`)
})

test('brackets in strings are not structure', () => {
  expect(prettyJson('{"a":"}[{,:"}')).toBe('{\n  "a": "}[{,:"\n}')
})

test.each(['', 'plain', '{"a":', '{"a":1} x', '7', '"text"'])('%j is not formatted', (text) => {
  expect(prettyJson(text)).toBeUndefined()
})

test('a document with excessive nesting is not formatted', () => {
  expect(prettyJson('['.repeat(49) + ']'.repeat(49))).toBeUndefined()
  expect(prettyJson('['.repeat(48) + ']'.repeat(48))).toBeDefined()
})

test('formatting changes only white space', () => {
  const object = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 }))
  fc.assert(
    fc.property(object, (value) => {
      expect(JSON.parse(prettyJson(JSON.stringify(value)) ?? '')).toEqual(
        JSON.parse(JSON.stringify(value)),
      )
    }),
  )
})

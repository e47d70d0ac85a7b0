import { expect, test } from 'vitest'
import { refusalOf } from '../testing/refusal-of.ts'
import { parseJson } from './parse-json.ts'

function parse(text: string): unknown {
  return parseJson(new TextEncoder().encode(text))
}

function nested(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels)
}

test('an empty body is no value', () => {
  expect(parse('')).toBeUndefined()
})

test('a body of 64 levels is read, one of 65 is refused', async () => {
  expect(parse(nested(64))).toBeInstanceOf(Array)
  expect(await refusalOf(() => parse(nested(65)))).toMatchObject({
    status: 400,
    message: 'The request body is more than 64 levels deep.',
  })
})

test('many values beside each other are not deep', () => {
  expect(parse(`[${'{},'.repeat(1000)}[]]`)).toHaveLength(1001)
})

test.each([
  ['plain', '"'.concat('['.repeat(100), '"')],
  ['behind an escaped quote', `"\\"${'['.repeat(100)}"`],
  ['behind an escaped backslash and a quote', `["\\\\", "${'['.repeat(100)}"]`],
])('brackets inside a text, %s, are text', (_, text) => {
  expect(parse(text)).toEqual(JSON.parse(text))
})

test('brackets behind a text that ends in a backslash are brackets', async () => {
  const refusal = await refusalOf(() => parse(`["\\\\", ${nested(64)}]`))
  expect(refusal.message).toContain('64 levels')
})

test.each([
  ['a bare word', 'no'],
  ['half a body', '{"a":'],
  ['two values', '{} {}'],
  ['a text without an end', '"a'],
  ['NaN', '{"a": NaN}'],
  ['a comment', '{} // a'],
])('%s is refused, and not repeated', async (_, text) => {
  const refusal = await refusalOf(() => parse(text))
  expect(refusal).toMatchObject({
    code: 'malformed_request',
    message: 'The request body is not JSON.',
  })
})

test('bytes that are no UTF-8 are refused', async () => {
  const body = Buffer.from([0x22, 0xff, 0x22])
  expect(await refusalOf(() => parseJson(body))).toMatchObject({ code: 'malformed_request' })
})

test('a body of 100 000 values is read, one more is refused', async () => {
  expect(parse(`[${'1,'.repeat(99_997)}1]`)).toHaveLength(99_998)
  expect(await refusalOf(() => parse(`[${'1,'.repeat(99_999)}1]`))).toMatchObject({
    status: 400,
    message: 'The request body holds more than 100000 values.',
  })
})

test.each(['[],', '{},', '"",'])(
  'a stranger cannot have megabytes of %s made into objects',
  async (value) => {
    const refusal = await refusalOf(() => parse(`[${value.repeat(200_000)}0]`))
    expect(refusal.message).toContain('100000 values')
  },
)

import { expect, test } from 'vitest'
import { refusalOf } from '../../dev/testing/refusal-of.ts'
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

test('many sibling values are not deep', () => {
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

test.each([
  ['plainly', '{"a":1,"a":2}'],
  ['in another spelling', '{"a":1,"\\u0061" : 2}'],
  ['further in', '{"x":[{"b":{"a":1,"c":{},"a":2}}]}'],
])('a member that is named twice %s is refused', async (_, text) => {
  expect(await refusalOf(() => parse(text))).toMatchObject({
    status: 400,
    message: 'The request body names a member twice.',
  })
})

test('the same name in two objects, and as a value, is no member twice', () => {
  const text = '{"a":{"a":"a"},"b":[{"a":1},{"a":"a","c":":"}]}'
  expect(parse(text)).toEqual(JSON.parse(text))
})

test.each(['{"a":1e400}', '[-1e999]', '9'.repeat(400)])(
  'the number in %s is refused',
  async (text) => {
    expect((await refusalOf(() => parse(text))).message).toContain('a number past all')
  },
)

test.each(['{"a":"\\ud800"}', '{"\\udfff":1}', '"\\ud83dx"'])(
  'half a character in %s is refused, a whole one is read',
  async (text) => {
    expect((await refusalOf(() => parse(text))).message).toContain('half a character')
    expect(parse('"\\ud83d\\ude00"')).toBe('\u{1f600}')
  },
)

test('a byte order mark is no JSON', async () => {
  expect(await refusalOf(() => parse('\uFEFF{}'))).toMatchObject({ code: 'malformed_request' })
})

import Type from 'typebox'
import { expect, test } from 'vitest'
import { refusalOf } from '../../dev/testing/refusal-of.ts'
import { bodyParser, within } from './parse-body.ts'

const Shape = Type.Object({
  name: Type.String({ maxLength: 3 }),
  inner: Type.Object({ kind: Type.Literal('a'), list: Type.Array(Type.Integer()) }),
})
const parse = bodyParser(Shape, 'invalid_resource_data')
const GOOD = { name: 'abc', inner: { kind: 'a', list: [1] } }

test('a body of the shape is returned as it is, with members the shape does not know', () => {
  const body = { ...GOOD, more: true }
  expect(parse(body)).toBe(body)
})

test.each<[string, unknown, string, RegExp]>([
  ['nothing', undefined, '', /^request body: must be object/],
  ['null', null, '', /^request body: must be object/],
  ['a list', [GOOD], '', /^request body: must be object/],
  ['a missing member', { inner: GOOD.inner }, '/name', /^\/name: is missing$/],
  ['a wrong type', { ...GOOD, name: 4 }, '/name', /^\/name: must be string$/],
  ['a text too long', { ...GOOD, name: 'abcd' }, '/name', /^\/name: must not have more than 3/],
  [
    'a wrong constant',
    { ...GOOD, inner: { kind: 'b', list: [] } },
    '/inner/kind',
    /^\/inner\/kind: must be "a"$/,
  ],
  [
    'a wrong element',
    { ...GOOD, inner: { kind: 'a', list: [1, 'x'] } },
    '/inner/list/1',
    /^\/inner\/list\/1: must be integer$/,
  ],
])('%s is refused at its place', async (_, body, pointer, message) => {
  const refusal = await refusalOf(() => parse(body))
  expect(refusal).toMatchObject({ code: 'invalid_resource_data', pointer })
  expect(refusal.message).toMatch(message)
})

test('a member called __proto__ lends no members', async () => {
  const body = JSON.parse(`{"__proto__": ${JSON.stringify(GOOD)}}`)
  expect(await refusalOf(() => parse(body))).toMatchObject({ pointer: '/name' })
})

test('a refusal inside a part points from the root of the body', async () => {
  const refusal = await refusalOf(() => within('/data/0', () => parse({ ...GOOD, name: 4 })))
  expect(refusal).toMatchObject({ code: 'invalid_resource_data', pointer: '/data/0/name' })
})

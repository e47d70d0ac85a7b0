import fc from 'fast-check'
import { expect, test } from 'vitest'
import { callOf } from '../dev/testing/call-of.ts'
import { refusalOf } from '../dev/testing/refusal-of.ts'
import { ApiError } from '../errors.ts'
import { type OlderName, underOlderNames } from './older-names.ts'
import type { ApiVersion } from './versions.ts'

const NAMES: readonly OlderName[] = [
  { older: 'aik', name: 'aik_tpm', until: '2.0' },
  { older: 'port', name: 'cloudagent_port' },
  { older: 'list', name: 'policy', until: '2.0', read: (value) => `read ${value}` },
  { older: 'ek', name: 'ek_tpm', isSame: (one, other) => `${one}${one}` === other },
]

/** The body that the operation gets. */
async function seen(body: unknown, version: ApiVersion = '2.0'): Promise<unknown> {
  const handler = underOlderNames(NAMES, (call) => ({ body: call.body }))
  return (await handler({ ...callOf({}, body), version })).body
}

test.each<[string, unknown, unknown]>([
  ['an older name', { aik: 'a', more: 1 }, { aik: 'a', more: 1, aik_tpm: 'a' }],
  ['a name of today', { aik_tpm: 'a' }, { aik_tpm: 'a' }],
  ['both alike', { aik: 'a', aik_tpm: 'a' }, { aik: 'a', aik_tpm: 'a' }],
  ['null and the older', { aik: 'a', aik_tpm: null }, { aik: 'a', aik_tpm: 'a' }],
  ['null under the older', { aik: null, aik_tpm: 'b' }, { aik: null, aik_tpm: 'b' }],
  ['empty texts', { aik: '', aik_tpm: '' }, { aik: '', aik_tpm: '' }],
  ['a port in either type', { port: 1, cloudagent_port: '1' }, { port: 1, cloudagent_port: '1' }],
  ['a value that is read in another way', { list: 'a' }, { list: 'a', policy: 'read a' }],
  ['what compares in another way', { ek: 'a', ek_tpm: 'aa' }, { ek: 'a', ek_tpm: 'aa' }],
])('%s is taken', async (_, body, expected) => {
  expect(await seen(body)).toEqual(expected)
})

test('a name is read in the versions that had it', async () => {
  expect(await seen({ aik: 'a', port: 1 }, '2.1')).toEqual({
    aik: 'a',
    port: 1,
    cloudagent_port: 1,
  })
  expect(await seen({ aik: 'a', aik_tpm: 'b' }, '2.1')).toEqual({ aik: 'a', aik_tpm: 'b' })
})

test.each([
  ['texts', { aik: 'a', aik_tpm: 'b' }, '/aik'],
  ['ports', { port: 1, cloudagent_port: '2' }, '/port'],
  ['what compares in another way', { ek: 'a', ek_tpm: 'a' }, '/ek'],
])('two names with different %s are refused at the older one', async (_, body, pointer) => {
  expect(await refusalOf(() => seen(body))).toMatchObject({ code: 'malformed_request', pointer })
})

test.each([undefined, null, 'aik', 4, [{ aik: 'a' }]])('%o has no names', async (body) => {
  expect(await seen(body)).toEqual(body)
})

test('nothing is read from a prototype', async () => {
  const seenOf = (text: string) => seen(JSON.parse(text))
  expect(JSON.stringify(await seenOf('{"__proto__": {"aik": "a"}}'))).not.toContain('aik_tpm')
  const parsed = await seenOf('{"__proto__": {"ek": "a"}, "aik": "b"}')
  expect(JSON.stringify(parsed)).toBe('{"__proto__":{"ek":"a"},"aik":"b","aik_tpm":"b"}')
})

test.each([
  ['/aik_tpm', 'aik_tpm: is no key', '/aik', 'aik: is no key'],
  ['/aik_tpm', '/aik_tpm: must be string', '/aik', '/aik: must be string'],
  ['/aik_tpm/0', '/aik_tpm/0: must be string', '/aik/0', '/aik/0: must be string'],
  ['/aik_tpm2', 'aik_tpm2: is no key', '/aik_tpm2', 'aik_tpm2: is no key'],
])('a refusal at %s points at the name that was sent', async (pointer, detail, at, message) => {
  const refuse = () => {
    throw new ApiError('malformed_request', detail, { pointer })
  }
  const ask = (body: unknown) => async () =>
    underOlderNames(NAMES, refuse)({ ...callOf({}, body), version: '2.0' })
  expect(await refusalOf(ask({ aik: 'a' }))).toMatchObject({ pointer: at, message: message })
  expect(await refusalOf(ask({ aik_tpm: 'a' }))).toMatchObject({ pointer, message: detail })
})

test('a defect stays one', async () => {
  const handler = underOlderNames(NAMES, () => Promise.reject(new TypeError('defect')))
  await expect(handler({ ...callOf({}, { aik: 'a' }), version: '2.0' })).rejects.toThrow(TypeError)
})

test('other members of a body are passed on unchanged', async () => {
  const other = fc.dictionary(fc.string(), fc.jsonValue()).map((body) => {
    const names = NAMES.flatMap(({ older, name }) => [older, name])
    return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)))
  })
  await fc.assert(
    fc.asyncProperty(other, async (body) => {
      expect(await seen({ ...body, aik: 'a' })).toEqual(
        JSON.parse(JSON.stringify({ ...body, aik: 'a', aik_tpm: 'a' })),
      )
    }),
  )
})

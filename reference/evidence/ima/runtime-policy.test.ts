import { expect, test } from 'vitest'
import { PolicyError } from '../policy-error.ts'
import { parseRuntimePolicy } from './runtime-policy.ts'

const DIGEST = 'ab'.repeat(32)
const POLICY = {
  meta: { version: 1, generator: 2, timestamp: 'any' },
  release: 0,
  digests: { '/bin/sh': [DIGEST] },
  excludes: ['/tmp/.*', 'b+'],
  keyrings: {},
  ima: { ignored_keyrings: ['.ima'], log_hash_alg: 'sha1', dm_policy: null },
  'ima-buf': { kernel_version: [DIGEST] },
  'verification-keys': '',
  other: 'members are allowed',
}

function parse(change: Readonly<Record<string, unknown>> = {}) {
  return parseRuntimePolicy(JSON.stringify({ ...POLICY, ...change }))
}

test('a policy is read into tables', () => {
  const policy = parse()
  expect(policy.digests.get('/bin/sh')).toEqual(new Set([DIGEST]))
  expect(policy.imaBuf.has('kernel_version')).toBe(true)
  expect(policy).toMatchObject({ generator: 2, logHashAlg: 'sha1' })
})

test('excludes are anchored at the start of a path and not at its end', () => {
  const { excludes } = parse()
  expect(['/tmp/x', 'bz', '/tmp', '/x/tmp/y'].map(excludes)).toEqual([true, true, false, false])
})

test('alternatives of one expression do not escape their anchor', () => {
  const { excludes } = parse({ excludes: ['a|b'] })
  expect(['a', 'b', 'xb'].map(excludes)).toEqual([true, true, false])
})

test('no path is excluded by a policy without excludes', () => {
  expect(parse({ excludes: [] }).excludes('/bin/sh')).toBe(false)
})

test.each<[string, Readonly<Record<string, unknown>>, string]>([
  ['no meta', { meta: undefined }, 'meta: expected an object'],
  [
    'generator 4',
    { meta: { version: 1, generator: 4 } },
    'meta.generator: expected an integer from 0 to 3',
  ],
  ['a negative release', { release: -1 }, 'release: expected an integer from 0'],
  [
    'no digest for a path',
    { digests: { '/x': [] } },
    'digests["/x"]: expected at least one digest',
  ],
  [
    'a digest in upper case',
    { digests: { '/x': [DIGEST.toUpperCase()] } },
    'digests["/x"][0]: expected 40 to 128',
  ],
  ['a short digest', { 'ima-buf': { x: ['ab'] } }, 'ima-buf["x"][0]: expected 40 to 128'],
  ['digests that are a list', { digests: [] }, 'digests: expected an object'],
  ['a broken expression', { excludes: ['ok', '('] }, 'excludes[1]: is not a regular expression'],
  ['an exclude that is a number', { excludes: [1] }, 'excludes[0]: expected text'],
  [
    'another log hash',
    { ima: { ...POLICY.ima, log_hash_alg: 'md5' } },
    'ima.log_hash_alg: expected one of sha1',
  ],
  [
    'a device mapper policy',
    { ima: { ...POLICY.ima, dm_policy: {} } },
    'ima.dm_policy: must be null',
  ],
  ['keys that are null', { 'verification-keys': null }, 'verification-keys: expected text'],
  ['no keyrings', { keyrings: undefined }, 'keyrings: expected an object'],
])('%s is refused with its path', (_, change, problem) => {
  expect(() => parse(change)).toThrow(problem)
  expect(() => parse(change)).toThrow(PolicyError)
})

test.each(['', '[]', 'null', '{}', '{'])('the text %j is no policy', (text) => {
  expect(() => parseRuntimePolicy(text)).toThrow(PolicyError)
})

test('a path called __proto__ is a path like any other', () => {
  const policy = parseRuntimePolicy(JSON.stringify(POLICY).replace('"/bin/sh"', '"__proto__"'))
  expect(policy.digests.get('__proto__')).toEqual(new Set([DIGEST]))
})

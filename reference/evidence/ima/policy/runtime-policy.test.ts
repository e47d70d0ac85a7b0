import { expect, test } from 'vitest'
import { PolicyError } from '../../policy-error.ts'
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
  expect([...(policy.digests.get('/bin/sh') ?? [])]).toEqual([DIGEST])
  expect(policy.imaBuf.has('kernel_version')).toBe(true)
  expect(policy).toMatchObject({ generator: 2, logHashAlg: 'sha1' })
})

test('a digest is allowed for the path that lists it, and for no other', () => {
  const policy = parse()
  expect(policy.allows('/bin/sh', DIGEST)).toBe(true)
  expect(policy.allows('/bin/sh', 'cd'.repeat(32))).toBe(false)
  expect(policy.allows('/bin/bash', DIGEST)).toBe(false)
  expect(policy.allows('constructor', DIGEST)).toBe(false)
})

test('excludes of a policy are asked with a path', () => {
  const { excludes } = parse()
  expect(['/tmp/x', 'bz', '/tmp', '/x/tmp/y'].map(excludes)).toEqual([true, true, false, false])
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
  [
    'a version of the future',
    { meta: { version: 2, generator: 2 } },
    'meta.version: version 2 is not known, the last one known is 1',
  ],
  ['a version in text', { meta: { version: '1', generator: 2 } }, 'meta.version: expected an int'],
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
  [
    'a digest of 63 digits behind its algorithm',
    { digests: { '/x': [`sha256:${DIGEST.slice(1)}`] } },
    'digests["/x"][0]: expected 40 to 128',
  ],
  [
    'a digest of an unknown algorithm by name',
    { digests: { '/x': [`sha257:${DIGEST}`] } },
    'digests["/x"][0]: expected 40 to 128',
  ],
  [
    'a text for the digests of a path',
    { digests: { '/x': DIGEST } },
    'digests["/x"]: expected a li',
  ],
  ['digests that are a list', { digests: [] }, 'digests: expected an object'],
  ['a broken expression', { excludes: ['ok', '('] }, 'excludes[1]: is not a regular expression'],
  ['a lookahead', { excludes: ['a', 'b', '/c(?!d)'] }, 'excludes[2]: lookaround is not supported'],
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
  ['keys that are no JSON', { 'verification-keys': 'x' }, 'verification-keys: is not JSON'],
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
  expect([...(policy.digests.get('__proto__') ?? [])]).toEqual([DIGEST])
})

test('a policy as upstream makes it is read without a note', () => {
  expect(parse().notes).toEqual([])
})

test("the liberties of upstream's documentation are read, each with a note", () => {
  const { ignored_keyrings, log_hash_alg } = POLICY.ima
  const policy = parse({
    digests: { '/bin/sh': [`sha256:${DIGEST}`] },
    keyrings: { '.ima': DIGEST },
    'ima-buf': { label: DIGEST },
    ima: { ignored_keyrings, log_hash_alg },
  })
  expect(policy.allows('/bin/sh', DIGEST)).toBe(true)
  expect([...(policy.keyrings.get('.ima') ?? [])]).toEqual([DIGEST])
  expect([...(policy.imaBuf.get('label') ?? [])]).toEqual([DIGEST])
  expect(policy.notes).toEqual([
    'digests: a digest behind the name of its algorithm is read without the name',
    'keyrings: a digest without a list around it is a list of one',
    'ima-buf: a digest without a list around it is a list of one',
  ])
})

test('an expression that excludes every path is noted, one for every file below the root is not', () => {
  expect(parse({ excludes: ['.*'] }).notes).toEqual(['excludes: every path is excluded'])
  expect(parse({ excludes: [''] }).notes).toHaveLength(1)
  expect(parse({ excludes: ['/.*'] }).notes).toEqual([])
})

function enveloped(payload: unknown, change: Readonly<Record<string, unknown>> = {}) {
  const signatures = [{ keyid: 'any', sig: 'AAAA' }]
  const payloadType = 'application/vnd.keylime+json'
  const base64 = Buffer.from(JSON.stringify(payload)).toString('base64')
  return JSON.stringify({ payload: base64, payloadType, signatures, ...change })
}

test('a policy inside an envelope is read', () => {
  const policy = parseRuntimePolicy(enveloped(POLICY))
  expect(policy.allows('/bin/sh', DIGEST)).toBe(true)
  expect(policy.notes).toEqual([
    'an envelope (DSSE) of type "application/vnd.keylime+json" around the policy',
  ])
})

test.each<[string, string, string]>([
  ['an envelope in an envelope', enveloped(JSON.parse(enveloped(POLICY))), 'payload: is an envel'],
  [
    'a broken policy in an envelope',
    enveloped({ ...POLICY, digests: 1 }),
    'digests: expected an o',
  ],
  ['an envelope with invalid base64', enveloped({}, { payload: '?' }), 'payload: not a char'],
  ['an envelope of bytes', enveloped({}, { payload: '/w==' }), 'payload: is not UTF-8 text'],
  ['an envelope of text', enveloped('x'), 'payload: expected an object'],
  ['an envelope without type', enveloped(POLICY, { payloadType: 1 }), 'payloadType: expected text'],
  [
    'an envelope without signature',
    enveloped(POLICY, { signatures: [] }),
    'signatures: expected 1',
  ],
  [
    'an envelope of many signatures',
    enveloped(POLICY, { signatures: Array.from({ length: 17 }, () => ({ sig: '' })) }),
    'signatures: expected 1 to 16, got 17',
  ],
  [
    'a signature without bytes',
    enveloped(POLICY, { signatures: [{ keyid: '' }] }),
    'signatures[0].sig: expected text',
  ],
])('%s is refused', (_, text, problem) => {
  expect(() => parseRuntimePolicy(text)).toThrow(problem)
  expect(() => parseRuntimePolicy(text)).toThrow(PolicyError)
})

import { expect, test } from 'vitest'
import { PolicyError } from '../../policy-error.ts'
import { parseRuntimePolicy, parseTextAllowlist } from './runtime-policy.ts'

const SHA1 = 'ab'.repeat(20)
const SHA256 = 'cd'.repeat(32)

/** An allowlist with the members that its version had. */
function allowlist(version: number | undefined, change: Readonly<Record<string, unknown>> = {}) {
  const since = (first: number, member: object) => ((version ?? 1) >= first ? member : {})
  return {
    ...(version === undefined ? {} : { meta: { version, generator: 'a tool' } }),
    release: 3,
    hashes: { '/bin/sh': [SHA1, SHA256] },
    ...since(2, { keyrings: { '.ima': [SHA256] } }),
    ...since(3, { ima: { ignored_keyrings: ['.evm'], ...since(5, { log_hash_alg: 'sha256' }) } }),
    ...since(4, { 'ima-buf': { label: [SHA256] } }),
    ...change,
  }
}

function parse(document: unknown) {
  return parseRuntimePolicy(JSON.stringify(document))
}

test.each([undefined, 1, 2, 3, 4, 5, 6])('an allowlist of version %s is read', (version) => {
  const policy = parse(allowlist(version))
  const at = version ?? 1
  expect(policy.allows('/bin/sh', SHA1)).toBe(true)
  expect(policy.allows('/bin/sh', SHA256)).toBe(true)
  expect(policy.keyrings.size).toBe(at >= 2 ? 1 : 0)
  expect([...policy.ignoredKeyrings]).toEqual(at >= 3 ? ['.evm'] : [])
  expect(policy.imaBuf.size).toBe(at >= 4 ? 1 : 0)
  expect(policy.logHashAlg).toBe(at >= 5 ? 'sha256' : 'sha1')
  expect(policy.generator).toBe(2)
  const said = version === undefined ? 'without a version' : `of version ${version}`
  expect(policy.notes).toEqual([`an allowlist ${said}, which is older than runtime policies`])
})

test('an allowlist in a bundle is read with its excludes, comments and empty lines left out', () => {
  const exclude = ['', '# (not an expression', '/tmp/.*']
  const policy = parse({ allowlist: allowlist(5), exclude })
  expect(policy.allows('/bin/sh', SHA1)).toBe(true)
  expect(['/tmp/x', '/bin/sh', '# x'].map(policy.excludes)).toEqual([true, false, false])
})

test.each([undefined, null, []])('a bundle whose excludes are %j excludes nothing', (exclude) => {
  expect(parse({ allowlist: allowlist(2), exclude }).excludes('/tmp/x')).toBe(false)
})

test.each<[string, unknown, string]>([
  [
    'a version of the future',
    { allowlist: allowlist(7) },
    'allowlist.meta.version: version 7 is not known, the last one known is 6',
  ],
  ['a version of the future, alone', allowlist(7), 'meta.version: version 7 is not known'],
  ['a version in text', allowlist(1, { meta: { version: 'x' } }), 'meta.version: expected an int'],
  ['no hashes', { allowlist: { meta: {} } }, 'allowlist.hashes: expected an object'],
  ['hashes that are a list', allowlist(1, { hashes: [] }), 'hashes: expected an object'],
  ['an invalid digest', allowlist(1, { hashes: { '/x': ['x'] } }), 'digests["/x"][0]: expec'],
  [
    'a device mapper policy',
    allowlist(6, { ima: { dm_policy: {} } }),
    'ima.dm_policy: must be null',
  ],
  ['excludes in one text', { allowlist: allowlist(2), exclude: 'a' }, 'exclude: expected a list'],
  ['a lookahead', { allowlist: allowlist(2), exclude: ['(?=a)'] }, 'excludes[0]: lookaround'],
])('an allowlist with %s is refused with its path', (_, document, problem) => {
  expect(() => parse(document)).toThrow(problem)
  expect(() => parse(document)).toThrow(PolicyError)
})

test('a document with digests is a runtime policy, also with other members', () => {
  const both = { ...allowlist(3), digests: { '/bin/sh': [SHA1] } }
  expect(() => parse(both)).toThrow('meta.version: version 3 is not known')
})

const LINES = `${SHA1}  /bin/sh

sha256:${SHA256}  boot_aggregate
${SHA256}\t/a b\r
${SHA1} /bin/sh
${SHA256}  %keyring:.ima
`

test('an allowlist in lines is read with its exclude list', () => {
  const policy = parseTextAllowlist(LINES, '# no expression (\n\n/tmp/.*\n')
  expect(policy.allows('/bin/sh', SHA1)).toBe(true)
  expect(policy.allows('boot_aggregate', SHA256)).toBe(true)
  expect(policy.allows('/a b', SHA256)).toBe(true)
  expect([...(policy.keyrings.get('.ima') ?? [])]).toEqual([SHA256])
  expect(policy.excludes('/tmp/x')).toBe(true)
  expect(policy.generator).toBe(3)
  expect(policy.notes[0]).toBe('an allowlist in lines of digest and path')
})

test.each<[string, string, string]>([
  ['a digest without a path', `${SHA1}  /a\n${SHA1}\n`, 'line 2: expected a digest'],
  ['a path without a digest', '/bin/sh', 'line 1: expected a digest'],
  ['an upper-case digest', `${SHA1.toUpperCase()}  /a`, 'line 1: expected a digest'],
])('%s in an allowlist in lines is refused', (_, text, problem) => {
  expect(() => parseTextAllowlist(text)).toThrow(problem)
})

test('a path called __proto__ in lines is a path like any other', () => {
  expect(parseTextAllowlist(`${SHA1}  __proto__`).allows('__proto__', SHA1)).toBe(true)
})

import type { RuntimePolicy } from '../../../evidence/ima/policy/runtime-policy.ts'
import type { TpmPolicy } from '../../../evidence/quote/tpm-policy.ts'

type Json = Readonly<Record<string, unknown>>

function objectOf(value: unknown): Json | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as Json) : undefined
}

function member(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, key) => Object.getOwnPropertyDescriptor(objectOf(at) ?? {}, key)?.value,
    value,
  )
}

function isWhole(value: unknown, last: number): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= last
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}

/** The document that counts: the one in the envelope, where there is one. */
function documentOf(text: string): unknown {
  const document: unknown = JSON.parse(text)
  const payload = member(document, 'payload')
  if (!payload) return document
  return JSON.parse(Buffer.from(String(payload), 'base64').toString('utf8'))
}

/** Why a runtime policy that was accepted breaks the rules for its members, or says something else than was read. */
export function runtimePolicyMustNotPass(text: string, policy: RuntimePolicy): string | undefined {
  const document = documentOf(text)
  if (!objectOf(document)) return 'the policy is no object'
  const older = member(document, 'allowlist')
  const isOld =
    member(document, 'digests') === undefined &&
    (objectOf(older) !== undefined || member(document, 'hashes') !== undefined)
  const list = isOld && objectOf(older) ? older : document
  return (
    (isOld ? undefined : brokenMember(document)) ??
    otherDigests(member(list, isOld ? 'hashes' : 'digests'), policy.digests) ??
    otherDigests(member(list, 'keyrings') ?? {}, policy.keyrings) ??
    otherDigests(member(list, 'ima-buf') ?? {}, policy.imaBuf) ??
    otherExcludes(member(document, isOld ? 'exclude' : 'excludes'), policy)
  )
}

const HASHES: readonly unknown[] = ['sha1', 'sha256', 'sha384', 'sha512']

function brokenMember(document: unknown): string | undefined {
  const at = (...path: readonly string[]) => member(document, ...path)
  const held: readonly (readonly [string, boolean])[] = [
    ['meta.version', isWhole(at('meta', 'version'), 1)],
    ['meta.generator', isWhole(at('meta', 'generator'), 3)],
    ['release', isWhole(at('release'), Number.MAX_SAFE_INTEGER)],
    ['digests', Object.values(objectOf(at('digests')) ?? { none: [] }).every(isLongList)],
    ['excludes', isTexts(at('excludes'))],
    ['keyrings', objectOf(at('keyrings')) !== undefined],
    ['ima-buf', objectOf(at('ima-buf')) !== undefined],
    ['ima.ignored_keyrings', isTexts(at('ima', 'ignored_keyrings'))],
    ['ima.log_hash_alg', HASHES.includes(at('ima', 'log_hash_alg'))],
    ['ima.dm_policy', at('ima', 'dm_policy') === null || at('ima', 'dm_policy') === undefined],
    ['verification-keys', isKeyring(at('verification-keys'))],
  ]
  const broken = held.find(([, holds]) => !holds)
  return broken && `${broken[0]} is not what it has to be`
}

function isLongList(value: unknown): boolean {
  return isTexts(value) && value.length > 0
}

function isKeyring(value: unknown): boolean {
  if (value === '') return true
  if (typeof value !== 'string') return false
  const keyring: unknown = JSON.parse(value)
  const [ids, keys] = [member(keyring, 'keyids'), member(keyring, 'pubkeys')]
  if (!Array.isArray(ids) || !isTexts(keys) || ids.length !== keys.length) return false
  return ids.every((id) => isWhole(id, 0xffffffff)) && keys.every((key) => key.startsWith('M'))
}

const SIZES: Readonly<Record<string, number>> = {
  sha1: 40,
  sha256: 64,
  sha384: 96,
  sha512: 128,
  sm3_256: 64,
  sha3_256: 64,
  sha3_384: 96,
  sha3_512: 128,
}

/** The digest that a text stands for, if it stands for one. */
function digestIn(text: string): string | undefined {
  if (/^[0-9a-f]{40,128}$/.test(text)) return text
  const [algorithm = '', digits = ''] = text.split(':')
  const size = Object.getOwnPropertyDescriptor(SIZES, algorithm)?.value
  const fits = digits.length === size && /^[0-9a-f]+$/.test(digits)
  return fits && text === `${algorithm}:${digits}` ? digits : undefined
}

function otherDigests(
  stated: unknown,
  read: ReadonlyMap<string, Iterable<string>>,
): string | undefined {
  const names = Object.keys(objectOf(stated) ?? {})
  if (names.length !== read.size) return 'other names were read than are stated'
  for (const name of names) {
    const value = member(stated, name)
    const texts: unknown = typeof value === 'string' ? [value] : value
    if (!isTexts(texts)) return 'a name has no list of digests'
    const digests = new Set(texts.map((text) => digestIn(text) ?? 'none'))
    const found = new Set(read.get(name) ?? [])
    if (digests.has('none')) return 'a digest is none'
    if (digests.size !== found.size || [...digests].some((digest) => !found.has(digest)))
      return 'other digests were read than are stated'
  }
  return undefined
}

const PROBES = [
  '',
  '/',
  '/tmp/x',
  '/usr/bin/bash',
  '/proc/1',
  'x/tmp/x',
  '/opt',
  '/opt/x',
  'abcx',
  '/var\n',
]

/** Expressions that mean the same to every engine. */
const SIMPLE = /^(?:[A-Za-z0-9/_-]|\.\*?)*$/

function otherExcludes(stated: unknown, { excludes }: RuntimePolicy): string | undefined {
  const texts = isTexts(stated) ? stated.filter((each) => each !== '' || stated.length === 1) : []
  if (!isTexts(stated ?? []) || !texts.every((text) => SIMPLE.test(text))) return undefined
  if (stated !== undefined && isTexts(stated) && stated.includes('')) return undefined
  const engines = texts.map((text) => new RegExp(`^(?:${text})`))
  const differs = PROBES.some((path) => excludes(path) !== engines.some((each) => each.test(path)))
  return differs ? 'other paths are excluded than the expressions say' : undefined
}

/** The same of a static PCR policy. */
export function tpmPolicyMustNotPass(
  text: string,
  { allowed, mask }: TpmPolicy,
): string | undefined {
  const document: unknown = JSON.parse(text)
  if (!objectOf(document)) return 'the policy is no object'
  const keys = Object.keys(document ?? {}).filter((key) => key !== 'mask')
  if (keys.some((key) => !isWhole(Number(key), 23) || String(Number(key)) !== key))
    return 'a member is no PCR'
  const stated = keys.map((key) => [Number(key), digestsIn(member(document, key))] as const)
  if (stated.some(([, digests]) => !digests)) return 'a PCR has no digests'
  const same = stated.every(([pcr, digests]) => allowed.get(pcr)?.join() === digests?.join())
  if (!same || stated.length !== allowed.size) return 'other digests were read than are stated'
  return otherMask(member(document, 'mask'), mask)
}

function digestsIn(value: unknown): readonly string[] | undefined {
  const texts: unknown = typeof value === 'string' ? [value] : value
  if (!isTexts(texts)) return undefined
  const digests = texts.map((text) => text.toLowerCase().replace(/^0x/, ''))
  const fits = digests.every((each) =>
    /^(?:[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})$/.test(each),
  )
  return fits ? digests : undefined
}

function otherMask(stated: unknown, mask: readonly number[]): string | undefined {
  if (stated === undefined) return mask.length > 0 ? 'a mask was read that is not there' : undefined
  const bits = typeof stated === 'string' ? Number.parseInt(stated.replace(/^0x/i, ''), 16) : -1
  const expected = Array.from({ length: 24 }, (_, bit) => bit).filter((bit) => (bits >>> bit) & 1)
  const same = bits >= 0 && bits < 2 ** 24 && expected.join() === mask.join()
  return same ? undefined : 'another mask was read than is stated'
}

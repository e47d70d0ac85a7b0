import { generateKeyPairSync, hash, type KeyObject } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { recorded } from '../../tpm/testing/recorded-boot.ts'
import { issueCertificate } from '../testing/issue-certificate.ts'
import { provenPcrs } from '../testing/proven-pcrs.ts'
import { FILE, type FileSigning, signedContent, signFile } from '../testing/sign-file.ts'
import {
  bufferEntry,
  listOf,
  pcrAfter,
  type WrittenEntry,
  writeEntry,
} from '../testing/written-list.ts'
import type { LearnedKey } from './buffer-checks.ts'
import { evaluateIma } from './evaluate-ima.ts'
import { LineMemo } from './list/line-memo.ts'
import { keyIdOf } from './measured-key.ts'
import { parseRuntimePolicy, type RuntimePolicy } from './policy/runtime-policy.ts'
import { TrustedSigners } from './policy/trusted-signers.ts'

const signer = generateKeyPairSync('rsa', { modulusLength: 2048 })
const other = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ed25519 = generateKeyPairSync('ed25519').publicKey
const SPKI = { format: 'der', type: 'spki' } as const

function ringOf(key: KeyObject, id = keyIdOf(key)): string {
  return JSON.stringify({ keyids: [id], pubkeys: [key.export(SPKI).toString('base64')] })
}

function policyOf(change: Readonly<Record<string, unknown>> = {}, ignored: readonly string[] = []) {
  return parseRuntimePolicy(
    JSON.stringify({
      meta: { version: 1, generator: 2 },
      release: 0,
      digests: {},
      excludes: [],
      keyrings: {},
      ima: { ignored_keyrings: ignored, log_hash_alg: 'sha1', dm_policy: null },
      'ima-buf': {},
      'verification-keys': '',
      ...change,
    }),
  )
}

const recordedLines = Buffer.from(recorded('ascii_after_tools')).toString('latin1').split('\n')

/** The entry of a file that `signer` signed. */
function signedFile(change: Partial<FileSigning> = {}, facts: { readonly type?: string } = {}) {
  const { privateKey, publicKey } = signer
  const signature = signFile({ key: privateKey, keyId: keyIdOf(publicKey), ...change })
  const { digest, name } = signedContent(signature)
  const template = facts.type === undefined ? 'ima-sig' : 'ima-sigv2'
  return writeEntry({ template, name, digest, extra: signature, ...facts })
}

interface ListOptions {
  readonly learned?: readonly LearnedKey[]
  readonly memo?: LineMemo
  /** entries that the quoted PCR covers; default: all */
  readonly quoted?: number
}

function evaluationOf(
  entries: readonly WrittenEntry[],
  policy: RuntimePolicy,
  how: ListOptions = {},
) {
  const value = pcrAfter(entries.slice(0, how.quoted ?? entries.length))
  const verified = provenPcrs([{ bank: 'sha256', values: new Map([[10, value]]) }])
  const evidence = {
    format: 'ascii',
    bytes: listOf(entries),
    startingOffset: 0,
    ...(how.learned && { learned: how.learned }),
  } as const
  const expected = { policy, ignoreTomtouErrors: false, bootAggregates: new Set<string>() }
  return evaluateIma(evidence, verified, expected, undefined, undefined, how.memo)
}

function typesOf(...args: Parameters<typeof evaluationOf>): readonly string[] {
  return evaluationOf(...args).findings.map(({ type }) => type)
}

const FACTS = { name: '/bin/true', digest: { algorithm: 'sha256', hex: hash('sha256', 'true') } }

const NOT_LISTED = 'ima.validation.ima-sig.not_in_allowlist'
const BAD = 'ima.validator.ima-sig.invalid_signature'

describe('a signed file that the policy does not list', () => {
  test('passes by the key of the policy', () => {
    expect(
      typesOf([signedFile()], policyOf({ 'verification-keys': ringOf(signer.publicKey) })),
    ).toEqual([])
  })

  test('fails without keys, and by another key', () => {
    expect(typesOf([signedFile()], policyOf())).toEqual([NOT_LISTED])
    const policy = policyOf({ 'verification-keys': ringOf(other.publicKey) })
    const [found] = evaluationOf([signedFile()], policy).findings
    expect(found).toMatchObject({ type: NOT_LISTED, reason: 'policy_violation' })
    expect(found?.context['signature']).toMatch(/^no key with the id [0-9a-f]{8} is trusted$/)
  })

  test('fails with another key under the id of its signer, with a reason of its own', () => {
    const ring = ringOf(other.publicKey, keyIdOf(signer.publicKey))
    expect(typesOf([signedFile()], policyOf({ 'verification-keys': ring }))).toEqual([
      NOT_LISTED,
      BAD,
    ])
  })

  test('fails when it is not the file that was signed', () => {
    const changed = signedFile({ over: Buffer.from('what it held before') })
    const policy = policyOf({ 'verification-keys': ringOf(signer.publicKey) })
    expect(typesOf([changed], policy)).toEqual([NOT_LISTED, BAD])
  })

  test.each([
    ['whole', 3, 'ima:'],
    ['by its tree', 6, 'verity:'],
  ])('passes by a signature of version 3, measured %s, and not as the other', (_, type, said) => {
    const policy = policyOf({ 'verification-keys': ringOf(signer.publicKey) })
    const swapped = said === 'ima:' ? 'verity:' : 'ima:'
    expect(typesOf([signedFile({ type, version: 3 }, { type: said })], policy)).toEqual([])
    expect(typesOf([signedFile({ type, version: 3 }, { type: swapped })], policy)).toEqual([
      'ima.validation.ima-sigv2.not_in_allowlist',
    ])
  })
})

describe('a signature that does not hold changes nothing', () => {
  const bad = signedFile({ key: other.privateKey })
  const keys = { 'verification-keys': ringOf(signer.publicKey) }
  const digests = { '/usr/bin/signed': [hash('sha256', FILE)] }

  test('for a file whose digest is listed', () => {
    expect(typesOf([bad], policyOf({ ...keys, digests }))).toEqual([])
    expect(typesOf([bad], policyOf(keys))).toEqual([NOT_LISTED, BAD])
  })

  test('for a file whose path is excluded', () => {
    expect(typesOf([bad], policyOf({ ...keys, excludes: ['/usr/bin/'] }))).toEqual([])
    expect(typesOf([bad], policyOf({ ...keys, excludes: ['/usr/sbin/'] }))).toEqual([
      NOT_LISTED,
      BAD,
    ])
  })
})

test('a good signature passes also where another digest is listed', () => {
  const digests = { '/usr/bin/signed': ['ab'.repeat(32)] }
  const keys = { 'verification-keys': ringOf(signer.publicKey) }
  expect(typesOf([signedFile()], policyOf({ digests, ...keys }))).toEqual([])
  expect(typesOf([signedFile()], policyOf({ digests }))).toEqual([
    'ima.validation.ima-sig.runtime_policy_hash',
  ])
})

const KEY = new Uint8Array(signer.publicKey.export(SPKI))
const LISTED = { keyrings: { '.ima': [hash('sha256', KEY)] } }
const KEY_NOT_LISTED = 'ima.validation.ima-buf.not_in_allowlist'

describe('a key that the list measures', () => {
  const key = bufferEntry('.ima', KEY)

  test('signs the files behind it', () => {
    expect(typesOf([key, signedFile()], policyOf(LISTED))).toEqual([])
    expect(typesOf([signedFile(), key], policyOf(LISTED))).toEqual([NOT_LISTED])
  })

  test('signs as a certificate too, by the id in it', async () => {
    const id = Uint8Array.of(1, 2, 3, 4)
    const certificate = await issueCertificate(signer.publicKey, id)
    const policy = policyOf({ keyrings: { '.ima': [hash('sha256', certificate)] } })
    const entry = bufferEntry('.ima', certificate)
    expect(typesOf([entry, signedFile({ keyId: 0x01020304 })], policy)).toEqual([])
    expect(typesOf([entry, signedFile()], policy)).toEqual([NOT_LISTED])
  })

  test('fails, and signs nothing, when its keyring does not list it', () => {
    const both = [key, signedFile()]
    expect(typesOf(both, policyOf())).toEqual([KEY_NOT_LISTED, NOT_LISTED])
    expect(typesOf(both, policyOf({ keyrings: { '.evm': LISTED.keyrings['.ima'] } }))).toEqual([
      KEY_NOT_LISTED,
      NOT_LISTED,
    ])
    expect(typesOf(both, policyOf({ keyrings: { '.ima': ['ab'.repeat(32)] } }))).toEqual([
      'ima.validation.ima-buf.runtime_policy_hash',
      NOT_LISTED,
    ])
  })

  test.each(['.ima', '*'])('passes, and signs nothing, when %s is ignored', (ignored) => {
    expect(typesOf([key, signedFile()], policyOf(LISTED, [ignored]))).toEqual([NOT_LISTED])
    expect(typesOf([key, signedFile()], policyOf({}, [ignored]))).toEqual([NOT_LISTED])
  })

  test('passes, and signs nothing, when its keyring is excluded and does not list it', () => {
    expect(typesOf([key, signedFile()], policyOf({ excludes: ['\\.ima'] }))).toEqual([NOT_LISTED])
  })

  test('is not believed when its digest is that of another', () => {
    const evil = new Uint8Array(other.publicKey.export(SPKI))
    const forged = bufferEntry('.ima', evil, KEY)
    const file = signedFile({ key: other.privateKey, keyId: keyIdOf(other.publicKey) })
    const [first, second] = evaluationOf([forged, file], policyOf(LISTED)).findings
    expect(first).toMatchObject({
      type: 'ima.validation.ima_hash',
      reason: 'broken_evidence_chain',
    })
    expect(second?.type).toBe(NOT_LISTED)
  })

  test('fails when it is of a kind that signs no file', () => {
    const buffer = new Uint8Array(ed25519.export(SPKI))
    const policy = policyOf({ keyrings: { '.ima': [hash('sha256', buffer)] } })
    const [found] = evaluationOf([bufferEntry('.ima', buffer)], policy).findings
    expect(found?.type).toBe('ima.invalid_key')
    expect(found?.context.message).toContain('".ima" got a key of type ed25519')
    expect(typesOf([bufferEntry('.ima', buffer)], policyOf({}, ['.ima']))).toEqual([])
  })
})

describe('a key learned from one list', () => {
  const key = bufferEntry('.ima', KEY)
  const { certified } = evaluationOf([key], policyOf(LISTED))
  const learned = certified?.learned ?? []

  test('is known to the next one, and carried on', () => {
    expect(learned).toHaveLength(1)
    const next = evaluationOf([signedFile()], policyOf(LISTED), { learned })
    expect(next.findings).toEqual([])
    expect(next.certified?.learned).toEqual(learned)
    expect(typesOf([signedFile()], policyOf(LISTED))).toEqual([NOT_LISTED])
  })

  test('survives being written down', () => {
    const read = JSON.parse(JSON.stringify(learned))
    expect(typesOf([signedFile()], policyOf(LISTED), { learned: read })).toEqual([])
  })

  test('is forgotten when the policy does not list it any more', () => {
    const next = evaluationOf([signedFile()], policyOf(), { learned })
    expect(next.findings.map(({ type }) => type)).toEqual([NOT_LISTED])
    expect(next.certified?.learned).toBeUndefined()
  })

  test('is not carried when the quote does not cover it', () => {
    const file = writeEntry({ ...FACTS, template: 'ima-ng' })
    const policy = policyOf({ ...LISTED, digests: { [FACTS.name]: [FACTS.digest.hex] } })
    expect(evaluationOf([file, key], policy, { quoted: 2 }).certified?.learned).toHaveLength(1)
    expect(evaluationOf([file, key], policy, { quoted: 1 }).certified?.learned).toBeUndefined()
  })

  test('is not remembered for another list under the same policy', () => {
    const digests = { '.ima': LISTED.keyrings['.ima'] }
    const [memo, policy] = [new LineMemo(), policyOf({ ...LISTED, digests })]
    const file = signedFile()
    for (let time = 0; time < 3; time++) {
      expect(typesOf([key, file], policy, { memo })).toEqual([])
      expect(typesOf([file], policy, { memo })).toEqual([NOT_LISTED])
    }
  })
})

test.each([
  ['kernel_version', Buffer.from('6.1.0-56-cloud-amd64')],
  ['dm_table_load', Buffer.alloc(65_536, 'dm_version=4.45.0;name=x,uuid=,major=253;')],
  ['a label of nothing', new Uint8Array()],
])('critical data of %s is checked by its label', (label, data) => {
  const entry = bufferEntry(label.replaceAll(' ', '_'), data)
  const name = label.replaceAll(' ', '_')
  const listed = policyOf({ 'ima-buf': { [name]: [hash('sha256', data)] } })
  expect(typesOf([entry], listed)).toEqual([])
  expect(typesOf([entry], policyOf({ 'ima-buf': { [name]: ['ab'.repeat(32)] } }))).toEqual([
    'ima.validation.ima-buf.runtime_policy_hash',
  ])
  expect(typesOf([entry], policyOf({ keyrings: { [name]: [hash('sha256', data)] } }))).toEqual([
    KEY_NOT_LISTED,
  ])
})

test('the signature of the recorded boot is well-formed, and by no known key', () => {
  const line = recordedLines.find((each) => each.includes(' /mnt/data/signed.sh '))
  const signature = new Uint8Array(Buffer.from(line?.split(' ').at(-1) ?? '', 'hex'))
  const signers = new TrustedSigners(new Map([[0xd1a2b3c4, [signer.publicKey]]]))
  expect(signers.verify(signedContent(signature), signature)).toEqual({
    kind: 'bad',
    why: 'the key d1a2b3c4 did not sign this digest',
  })
})

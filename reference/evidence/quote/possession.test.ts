import { expect, test } from 'vitest'
import { concat } from '../../bytes/writer.ts'
import type { Attest } from '../../tpm/attest.ts'
import { nameOf } from '../../tpm/name.ts'
import { flipped, RECORDED_NONCE, recorded } from '../../tpm/testing/recorded-boot.ts'
import { makeStubAttester } from '../testing/stub-attester.ts'
import { checkPossession, type PossessionProof, possessionChecks } from './possession.ts'

const RECORDED: PossessionProof = {
  attestationKey: recorded('ak_rsa.tpm2b_public'),
  challenge: Uint8Array.of(0x00, 0xff, 0x55, 0xaa),
  message: recorded('certify.attest'),
  signature: recorded('certify.sig'),
}

function refusals(change: Partial<PossessionProof>, checks = possessionChecks): readonly unknown[] {
  return checkPossession({ ...RECORDED, ...change }, checks).map(({ context }) => context.check)
}

test('the recorded self-certification of the key is a proof', () => {
  expect(refusals({})).toEqual([])
})

test.each<[string, Partial<PossessionProof>, readonly string[]]>([
  [
    'another challenge',
    { challenge: Uint8Array.of(0, 0xff, 0x55, 0xab) },
    ['possession.challenge'],
  ],
  ['an empty challenge', { challenge: new Uint8Array() }, ['possession.challenge']],
  [
    'one bit of the signature',
    { signature: flipped(RECORDED.signature, 80) },
    ['possession.signature'],
  ],
  ['one bit of the message', { message: flipped(RECORDED.message, 70) }, ['possession.signature']],
  [
    'a byte behind the signature',
    { signature: concat(RECORDED.signature, Uint8Array.of(0)) },
    ['possession.structure'],
  ],
  [
    'another key',
    { attestationKey: recorded('ak_rsapss.tpm2b_public') },
    ['possession.name', 'possession.signature'],
  ],
])('%s is refused', (_, change, ids) => {
  expect(refusals(change)).toEqual(ids)
})

test('a quote is no session proof, although it is signed over the challenge', () => {
  const quote = {
    message: recorded('rsassa_sha256_10.attest'),
    signature: recorded('rsassa_sha256_10.sig'),
    challenge: RECORDED_NONCE,
  }
  expect(refusals(quote)).toEqual(['possession.type'])
  const [finding] = checkPossession({ ...RECORDED, ...quote })
  expect(finding?.type).toBe('possession.invalid_proof')
})

const ACCEPTED = { hashes: ['sha256'], keys: ['rsa'], schemes: ['rsassa'] }

test.each<[string, Partial<typeof ACCEPTED>, readonly string[]]>([
  ['all of it', {}, []],
  ['another hash', { hashes: ['sha384'] }, ['possession.algorithms']],
  ['another scheme', { schemes: ['ecdsa'] }, ['possession.algorithms']],
  ['a longer key', { keys: ['rsa3072'] }, ['possession.algorithms']],
  ['nothing', { hashes: [], keys: [], schemes: [] }, ['possession.algorithms']],
])('of an agent that may use %s', (_, change, ids) => {
  expect(refusals({ accepted: { ...ACCEPTED, ...change } })).toEqual(ids)
})

const stub = makeStubAttester()
const CHALLENGE = new Uint8Array(16).fill(7)

function certified(name: Uint8Array, change: Partial<Attest> = {}): PossessionProof {
  const attested = { kind: 'certify', value: { name, qualifiedName: new Uint8Array() } } as const
  const attest = stub.attest({ type: 0x8017, extraData: CHALLENGE, attested, ...change })
  return { attestationKey: stub.tpm2bPublic, challenge: CHALLENGE, ...attest }
}

test('a certification of another key by the enrolled one is refused by its Name alone', () => {
  expect(refusals(certified(nameOf(stub.tpm2bPublic)))).toEqual([])
  expect(refusals(certified(recorded('ak_rsa.name')))).toEqual(['possession.name'])
})

test('an empty challenge is not answered by empty data', () => {
  const empty = { challenge: new Uint8Array() }
  const made = certified(nameOf(stub.tpm2bPublic), { extraData: new Uint8Array() })
  expect(refusals({ ...made, ...empty })).toEqual(['possession.challenge'])
})

test('a structure that no TPM made is refused by its magic alone', () => {
  const made = certified(nameOf(stub.tpm2bPublic), { magic: 0 })
  expect(refusals(made)).toEqual(['possession.magic'])
})

test.each(possessionChecks.map(({ id }) => id))('without %s exactly its defect passes', (id) => {
  const defects: Readonly<Record<string, Partial<PossessionProof>>> = {
    'possession.structure': { signature: concat(RECORDED.signature, Uint8Array.of(0)) },
    'possession.magic': certified(nameOf(stub.tpm2bPublic), { magic: 0 }),
    'possession.type': {
      message: recorded('rsassa_sha256_10.attest'),
      signature: recorded('rsassa_sha256_10.sig'),
      challenge: RECORDED_NONCE,
    },
    'possession.challenge': { challenge: Uint8Array.of(1) },
    'possession.name': certified(recorded('ak_rsa.name')),
    'possession.algorithms': { accepted: { ...ACCEPTED, schemes: ['rsapss'] } },
    'possession.signature': { signature: flipped(RECORDED.signature, 80) },
  }
  const rest = possessionChecks.filter((check) => check.id !== id)
  expect(refusals(defects[id] ?? {})).toEqual([id])
  expect(refusals(defects[id] ?? {}, rest)).toEqual([])
})

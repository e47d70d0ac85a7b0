import type { SeededRandom } from '../../../conformance/attempt/random.ts'
import {
  eccAttester,
  rsaAttester,
  type SoftAttester,
} from '../../../simulator/machine/soft-attester.ts'
import { TPM_ALG, TPM_ECC, TPMA_OBJECT } from '../../../simulator/tpm/constants.ts'
import { HASHES } from '../../../simulator/tpm/hash.ts'
import { type TPMT_PUBLIC, writePublic } from '../../../simulator/tpm/public.ts'
import type { TPMT_SIGNATURE } from '../../../simulator/tpm/signature.ts'
import { cat, filled, fromHex, tpm2b } from '../../../simulator/tpm/write.ts'
import { mutateBytes, oneOf, turnBit } from '../mutate-bytes.ts'
import type { MachineModel, Mutation, MutationAt } from '../stages.ts'

type Head<S extends 'signature' | 'machine' | 'parts'> = Pick<
  MutationAt<S>,
  'id' | 'what' | 'breaks'
>
type Ecc = Extract<TPMT_SIGNATURE, { readonly kind: 'ecc' }>

function ecc(
  head: Head<'signature'>,
  change: (one: Ecc, random: SeededRandom) => Partial<Ecc>,
): Mutation {
  return {
    ...head,
    stage: 'signature',
    change: (one, random) => (one.kind === 'ecc' ? { ...one, ...change(one, random) } : one),
  }
}

function signature(
  head: Head<'signature'>,
  change: (one: TPMT_SIGNATURE, random: SeededRandom) => TPMT_SIGNATURE,
): Mutation {
  return { ...head, stage: 'signature', change }
}

function machine(
  head: Head<'machine'>,
  change: (machine: MachineModel, random: SeededRandom) => Partial<MachineModel>,
): Mutation {
  return {
    ...head,
    stage: 'machine',
    change: (one, random) => ({ ...one, ...change(one, random) }),
  }
}

function shownKey(
  head: Head<'parts'>,
  change: (key: Uint8Array, random: SeededRandom) => Uint8Array,
): Mutation {
  return {
    ...head,
    stage: 'parts',
    change: (parts, random) => ({ ...parts, key: change(parts.key, random) }),
  }
}

let madeRsaKey: SoftAttester | undefined

/** The one RSA key of a process: it takes seconds to find its primes. */
function rsaKey(): SoftAttester {
  madeRsaKey ??= rsaAttester('baseline')
  return madeRsaKey
}

/** Order of the P-256 group. */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

function negated(s: Uint8Array): Uint8Array {
  const value = (ORDER - BigInt(`0x${Buffer.from(s).toString('hex') || '0'}`)) % ORDER
  return fromHex((value < 0n ? value + ORDER : value).toString(16).padStart(64, '0'))
}

const ORDER_BYTES = fromHex(ORDER.toString(16))
const OUT_OF_RANGE = [filled(32), filled(0), ORDER_BYTES, filled(32, 0xff)]
const OTHER_ALGORITHMS = [
  TPM_ALG.HMAC,
  TPM_ALG.NULL,
  TPM_ALG.ECDAA,
  TPM_ALG.ECSCHNORR,
  TPM_ALG.SM2,
  TPM_ALG.RSASSA,
  TPM_ALG.RSAPSS,
]
/** SHA-1, SHA-384, SHA-512, SM3, SHA3-256, the null algorithm and two that no registry has. */
const OTHER_HASHES = [
  ...[TPM_ALG.SHA1, TPM_ALG.SHA384, TPM_ALG.SHA512],
  ...[0x0012, 0x0027, TPM_ALG.NULL, 0, 0xffff],
]
const STRANGER = eccAttester('a stranger')
const OTHER_KEYS: readonly (() => Pick<MachineModel, 'signer'>)[] = [
  () => ({ signer: STRANGER }),
  () => ({ signer: rsaKey() }),
]
const OTHER_CURVES = [TPM_ECC.NIST_P384, TPM_ECC.NIST_P521, 0x0001, 0x0002, 0x0010, 0x0020, 0xffff]

/** The area with its bytes of x, y or modulus replaced. */
function withPoint({ shown }: MachineModel, bytes: Uint8Array): Partial<MachineModel> {
  if (shown.type === 'rsa') return { shown: { ...shown, unique: bytes } }
  return { shown: { ...shown, x: bytes } }
}

function turnSignatureBit(one: TPMT_SIGNATURE, random: SeededRandom): TPMT_SIGNATURE {
  switch (one.kind) {
    case 'rsa':
      return { ...one, sig: turnBit(one.sig, random) }
    case 'ecc':
      return random.below(2) === 0
        ? { ...one, r: turnBit(one.r, random) }
        : { ...one, s: turnBit(one.s, random) }
    case 'opaque':
      return { ...one, bytes: turnBit(one.bytes, random) }
  }
}

/** Mutations of TPMT_SIGNATURE, and of the key that it is to verify with. */
export const SIGNATURE_MUTATIONS: readonly Mutation[] = [
  machine(
    { id: 'signer.other', what: 'is signed by another key than it shows', breaks: 'signature' },
    (_, random) => oneOf(OTHER_KEYS, random)(),
  ),
  machine(
    { id: 'signer.hash', what: 'is signed with a hash that its key has not', breaks: 'scheme' },
    ({ signer }, random) => {
      const bank = oneOf(['sha1', 'sha384', 'sha512'] as const, random)
      return { signer: { ...signer, sign: (message) => signer.sign(message, bank) } }
    },
  ),
  machine(
    {
      id: 'signer.other-hash',
      what: 'is signed with another hash than it names, by a key that has it',
      breaks: 'hash-signed',
    },
    ({ signer }, random) => {
      const hash = oneOf(['sha1', 'sha384', 'sha512'] as const, random)
      const scheme = { alg: TPM_ALG.ECDSA, hash: HASHES[hash].alg }
      const area = { ...signer.area, scheme } as TPMT_PUBLIC
      return { hash, shown: area, signer: { area, sign: (message) => signer.sign(message, hash) } }
    },
  ),
  machine({ id: 'signer.rsa', what: 'is signed by an RSA key, which it shows' }, () => {
    const signer = rsaKey()
    return { signer, shown: signer.area }
  }),
  machine(
    { id: 'key.point', what: 'shows a key that is no point of its curve', breaks: 'signature' },
    (one, random) => withPoint(one, random.bytes(32)),
  ),
  machine(
    { id: 'key.point-length', what: 'shows a key with a coordinate of an odd length' },
    (one, random) => withPoint(one, filled(oneOf([0, 1, 31, 33, 600], random), 7)),
  ),
  machine(
    {
      id: 'key.attributes',
      what: 'shows a key that may do other things',
      breaks: 'key-attributes',
    },
    ({ shown }, random) => ({
      shown: {
        ...shown,
        objectAttributes:
          shown.objectAttributes ^
          oneOf(
            [TPMA_OBJECT.restricted, TPMA_OBJECT.decrypt, TPMA_OBJECT.sign, TPMA_OBJECT.fixedTPM],
            random,
          ),
      },
    }),
  ),
  machine(
    { id: 'key.curve', what: 'shows a key of another curve', breaks: 'signature' },
    ({ shown }, random) =>
      shown.type === 'ecc'
        ? { shown: { ...shown, curve: oneOf(OTHER_CURVES, random) } }
        : { shown: { ...shown, exponent: 5 } },
  ),
  machine(
    { id: 'key.scheme', what: 'shows a key that signs otherwise', breaks: 'scheme' },
    ({ shown }) => ({
      shown: { ...shown, scheme: { ...shown.scheme, hash: TPM_ALG.SHA384 } },
    }),
  ),
  shownKey(
    { id: 'key.size', what: 'shows a key with a wrong size', breaks: 'key-form' },
    (key, random) => tpm2b(key.subarray(2), key.length - 2 + oneOf([-1, 1, 2, -2], random)),
  ),
  shownKey(
    { id: 'key.leftover', what: 'shows a key with bytes after it', breaks: 'key-form' },
    (key, random) => cat(key, random.bytes(1 + random.below(8))),
  ),
  shownKey({ id: 'key.bytes', what: 'shows a key with mutated bytes' }, mutateBytes),
  shownKey({ id: 'key.stranger', what: 'shows the key of a stranger', breaks: 'signature' }, () =>
    tpm2b(writePublic(STRANGER.area)),
  ),
  signature(
    { id: 'signature.bit', what: 'has a signature with a bit turned', breaks: 'signature' },
    turnSignatureBit,
  ),
  ecc(
    { id: 'ecc.range', what: 'has a signature number out of range', breaks: 'signature' },
    (_, random) => {
      const number = oneOf(OUT_OF_RANGE, random)
      return oneOf([{ r: number }, { s: number }, { r: number, s: number }], random)
    },
  ),
  ecc({ id: 'ecc.swapped', what: 'has r and s swapped', breaks: 'signature' }, ({ r, s }) => ({
    r: s,
    s: r,
  })),
  ecc({ id: 'ecc.negated', what: 'has the other s that verifies' }, ({ s }) => ({
    s: negated(s),
  })),
  ecc(
    {
      id: 'ecc.hash',
      what: 'names another hash than it was signed with',
      breaks: 'signature',
    },
    (_, random) => ({
      hash: oneOf(OTHER_HASHES, random),
    }),
  ),
  ecc(
    { id: 'ecc.leftover', what: 'has bytes after its signature', breaks: 'signature-form' },
    (_, random) => ({
      leftover: random.bytes(1 + random.below(8)),
    }),
  ),
  signature(
    { id: 'signature.algorithm', what: 'names another signature algorithm' },
    (one, random) => ({
      ...one,
      sigAlg: oneOf(OTHER_ALGORITHMS, random),
    }),
  ),
  signature(
    { id: 'signature.opaque', what: 'has noise in place of a signature', breaks: 'signature-form' },
    (_, random) => ({
      kind: 'opaque',
      sigAlg: oneOf([TPM_ALG.HMAC, TPM_ALG.NULL, 0, 0xffff], random),
      bytes: random.bytes(random.below(80)),
    }),
  ),
  {
    id: 'parts.signature-bytes',
    stage: 'parts',
    what: 'has a signature with mutated bytes',
    change: (parts, random) => ({ ...parts, signature: mutateBytes(parts.signature, random) }),
  },
  {
    id: 'parts.signature-bare',
    stage: 'parts',
    what: 'has a bare signature without its header',
    breaks: 'signature-form',
    change: (parts) => ({ ...parts, signature: parts.signature.slice(4) }),
  },
]

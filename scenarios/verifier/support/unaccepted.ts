import { sign } from 'node:crypto'
import { nativeAttester } from '../../../simulator/machine/native-attester.ts'
import {
  eccAttester,
  rsaAttester,
  rsaSignature,
  type SoftAttester,
  tpm2bPublic,
} from '../../../simulator/machine/soft-attester.ts'
import { newRsaPair } from '../../../simulator/soft/new-key-pair.ts'
import { TPM_ALG } from '../../../simulator/tpm/constants.ts'
import { cat, filled, text } from '../../../simulator/tpm/write.ts'
import {
  attestBytes,
  bankValues,
  digestOver,
} from '../../../simulator/vectors/quote/attest-overrides.ts'
import { quoteText, softQuote } from '../../../simulator/vectors/quote/soft-quote.ts'

/** Algorithms of the agents, and lists without them; sha1 is in all lists of hashes, since a verifier may require it. */
export const ALGORITHMS = [
  {
    member: 'accept_tpm_hash_algs',
    own: ['sha256', 'sha1'],
    others: [['sha384', 'sha512', 'sha1']],
  },
  {
    member: 'accept_tpm_signing_algs',
    own: ['rsassa'],
    others: [['rsapss'], ['ecdsa']],
  },
  {
    member: 'accept_tpm_encryption_algs',
    own: ['rsa2048'],
    others: [['rsa3072', 'rsa4096'], ['ecc']],
  },
] as const

/** An attester with a key on P-256. */
export function ecdsaAttester(): SoftAttester {
  return nativeAttester('an attestation key that signs with ECDSA')
}

/** An attester with a key on P-384 that signs over SHA-256. */
export function p384Attester(): SoftAttester {
  const { area, sign } = eccAttester('an attestation key on P-384', 'P-384')
  const own = { ...area, scheme: { alg: TPM_ALG.ECDSA, hash: TPM_ALG.SHA256 } }
  return { area: own, public: tpm2bPublic(own), sign }
}

const BANKS = { sha1: TPM_ALG.SHA1, sha384: TPM_ALG.SHA384 } as const

/** An attester with a key on P-256 that is bound to a hash. */
export function attesterOver(hash: keyof typeof BANKS): SoftAttester {
  const { area, sign } = eccAttester(`an attestation key that signs over ${hash}`)
  const own = { ...area, scheme: { alg: TPM_ALG.ECDSA, hash: BANKS[hash] } }
  return { area: own, public: tpm2bPublic(own), sign: (message) => sign(message, hash) }
}

/** The claim of verify/identity with a quote of that bank over a nonce. */
export function claimIn(
  hash: keyof typeof BANKS,
  attester: SoftAttester,
  nonce: string,
  pcrs: readonly number[] = [10],
) {
  const banks = [bankValues(hash, pcrs)]
  const { attest, bytes } = softQuote(attester, banks)
  const pcrDigest = digestOver(banks, hash)
  const message = attestBytes({ ...attest, extraData: text(nonce), pcrDigest })
  const quote = quoteText({ ...bytes, message, signature: attester.sign(message) })
  return { hash_alg: hash, quote }
}

/** Bytes of a modulus of 1024 bits. */
const SIZE = 128

/** Attesters with a key of 1024 bits whose public areas say 2048 bits. */
export function shortAttesters(): readonly (readonly [says: string, attester: SoftAttester])[] {
  const { privateKey, publicKey } = newRsaPair(SIZE * 8)
  const { n = '' } = publicKey.export({ format: 'jwk' })
  const modulus = new Uint8Array(Buffer.from(n, 'base64url'))
  const { area } = rsaAttester('a paper attestation key')
  if (area.type !== 'rsa') throw new TypeError('an RSA attester must have an RSA key')
  return (
    [
      ['with a modulus of 1024 bits', modulus],
      ['with a modulus of 1024 bits behind zeros', cat(filled(SIZE), modulus)],
    ] as const
  ).map(([says, unique]) => {
    const short = { ...area, unique }
    const signed = (message: Uint8Array) =>
      rsaSignature(new Uint8Array(sign('sha256', message, privateKey)))
    return [says, { area: short, public: tpm2bPublic(short), sign: signed }] as const
  })
}

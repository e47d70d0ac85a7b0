import {
  eccAttester,
  type SoftAttester,
  tpm2bPublic,
} from '../../../../simulator/machine/soft-attester.ts'
import { TPM_ALG, TPM_ST } from '../../../../simulator/tpm/constants.ts'
import { type Bank, HASHES } from '../../../../simulator/tpm/hash.ts'
import { cat, filled, text } from '../../../../simulator/tpm/write.ts'
import {
  type AttestOverrides,
  attestBytes,
  type BankValues,
  bankValues,
  digestOver,
  pcrValue,
  selectionsOf,
} from '../../../../simulator/vectors/quote/attest-overrides.ts'
import {
  base64,
  NONCE,
  policyOf,
  quoteText,
  softQuote,
} from '../../../../simulator/vectors/quote/soft-quote.ts'
import { ALTERATIONS, type Members, type NearMiss, type NearMissGroup } from './near-miss.ts'

const attester = eccAttester('near misses of quotes')
const stranger = eccAttester('another key of near misses')
const PCRS = [0, 8, 23]
const BANK = bankValues('sha256', PCRS)

/** A quote that the verifier accepts, with overrides in what is signed or in what is sent with it. */
export interface QuoteOptions {
  readonly attest?: Partial<AttestOverrides>
  readonly banks?: readonly BankValues[]
  /** Hash of the signature and of the digest of PCR values. */
  readonly hash?: Bank
  /** `hash_alg` of the request. */
  readonly named?: Bank
  /** `tpm_policy` of the request. */
  readonly policy?: Members
  readonly signer?: SoftAttester
  readonly key?: Uint8Array
  readonly stated?: string
  readonly sent?: (message: Uint8Array) => Uint8Array
}

export function quote({
  attest = {},
  banks = [BANK],
  hash = 'sha256',
  named = 'sha256',
  policy = policyOf(banks[0] ?? BANK),
  signer = attester,
  key = attester.public,
  stated = NONCE,
  sent = (message) => message,
}: QuoteOptions = {}): Members {
  const { bytes, evidence, attest: sound } = softQuote(attester, banks)
  const message = attestBytes({ ...sound, pcrDigest: digestOver(banks, hash), ...attest })
  const signature = signer.sign(message, hash)
  return {
    ...evidence,
    attestation_key: base64(key),
    nonce: stated,
    hash_alg: named,
    tpm_policy: policy,
    quote: quoteText({ message: sent(message), signature, pcrs: bytes.pcrs }),
  }
}

const miss = (breaks: string, sends: string, options: QuoteOptions): NearMiss => ({
  sends,
  breaks,
  evidence: () => quote(options),
})

const EARLIER = 'Zu5cQ8eR1yT6iO3pA9sD'
const GOOD: readonly NearMiss[] = [
  { sends: 'a quote over the stated nonce', evidence: () => quote() },
  {
    sends: 'a quote over another nonce that is stated',
    evidence: () => quote({ attest: { extraData: text(EARLIER) }, stated: EARLIER }),
  },
]

/** The key of good quotes, bound to a hash. */
export function boundTo(bank: Bank, { area }: Pick<SoftAttester, 'area'> = attester): Uint8Array {
  return tpm2bPublic({ ...area, scheme: { alg: TPM_ALG.ECDSA, hash: HASHES[bank].alg } })
}

const IN_384: QuoteOptions = {
  banks: [bankValues('sha384', PCRS)],
  hash: 'sha384',
  named: 'sha384',
  key: boundTo('sha384'),
}

/** Quotes in one hash under a policy that names no bank. */
const HASH_ALGS: readonly NearMiss[] = [
  { sends: 'a quote in SHA-384 by a key of that hash', evidence: () => quote(IN_384) },
  miss('VER-EVIDENCE-SCHEME', 'a quote in SHA-384 by a key that is bound to SHA-256', {
    ...IN_384,
    key: attester.public,
  }),
  miss('VER-EVIDENCE-HASH-MISMATCH', 'a quote in SHA-384 that is stated as SHA-256', {
    ...IN_384,
    ...{ named: 'sha256', policy: {} },
  }),
  ...(['sha1', 'sha384', 'sha512'] as const).map((named) =>
    miss('VER-EVIDENCE-HASH-MISMATCH', `a quote in SHA-256 that is stated as ${named}`, {
      ...{ named, policy: {} },
    }),
  ),
]

const OWN = text(NONCE)
const over = (says: string, extraData: Uint8Array) =>
  miss('VER-EVIDENCE-QUOTE-OVER-NONCE', `a quote over ${says}`, { attest: { extraData } })

const NONCES: readonly NearMiss[] = [
  ...ALTERATIONS.map(([says, alter]) => over(`a nonce ${says}`, alter(OWN))),
  over('the nonce of an earlier request', text(EARLIER)),
  over('nothing', filled(0)),
  over('the nonce and a byte', cat(OWN, text('x'))),
  over('a byte and the nonce', cat(text('x'), OWN)),
  over('the nonce without its last byte', OWN.subarray(0, -1)),
  over('the first eight bytes of the nonce', OWN.subarray(0, 8)),
  over('the nonce in upper case', text(NONCE.toUpperCase())),
  over('the nonce in lower case', text(NONCE.toLowerCase())),
  over('the nonce backwards', OWN.toReversed()),
]

const STRUCTURES: readonly NearMiss[] = [
  ...(
    [
      ['the first half', 0xff540000],
      ['the second half', 0x00004347],
      ['nothing', 0],
    ] as const
  ).map(([says, magic]) =>
    miss('VER-EVIDENCE-TPM-MADE', `a quote with ${says} of the magic`, { attest: { magic } }),
  ),
  ...(['ATTEST_NV', 'ATTEST_CERTIFY', 'ATTEST_TIME', 'ATTEST_CREATION'] as const).map((type) =>
    miss('VER-EVIDENCE-IS-QUOTE', `a quote of the type ${type}`, {
      attest: { type: TPM_ST[type] },
    }),
  ),
]

const SOUND = digestOver([BANK])

const DIGESTS: readonly NearMiss[] = [
  ...ALTERATIONS.map(([says, alter]) => [`a digest ${says}`, alter(SOUND)] as const),
  ['the first twenty bytes of the digest', SOUND.subarray(0, 20)] as const,
  ['no digest', filled(0)] as const,
].map(([says, pcrDigest]) =>
  miss('VER-EVIDENCE-PCR-DIGEST', `a quote with ${says} of the PCR values`, {
    attest: { pcrDigest },
  }),
)

/** Says that the TPM signed other PCRs than those whose values are sent; the digest of the values holds. */
function selecting(says: string, ...banks: readonly BankValues[]): NearMiss {
  return miss('VER-EVIDENCE-SELECTION', `a quote that selects ${says}`, {
    attest: { selections: selectionsOf(banks) },
  })
}

const of = (...pcrs: readonly number[]) => bankValues('sha256', pcrs)

const SELECTIONS: readonly NearMiss[] = [
  selecting('another first PCR', of(1, 8, 23)),
  selecting('another second PCR', of(0, 9, 23)),
  selecting('another last PCR', of(0, 8, 22)),
  selecting('three other PCRs', of(4, 5, 6)),
  selecting('PCR 9 too, whose value is not sent', of(0, 8, 9, 23)),
  selecting('a PCR less', of(0, 8)),
  selecting('the PCRs in another bank', bankValues('sha1', PCRS)),
  selecting('no PCRs'),
  selecting('a second bank too', of(0, 8, 23), bankValues('sha1', [0])),
  selecting('a second bank of PCR 16 too', of(0, 8, 23), bankValues('sha1', [16])),
  {
    ...selecting('another PCR in the second of two banks'),
    forms: ['several-banks'],
    evidence: () => {
      const second = { bank: 'sha1', values: new Map([[23, pcrValue('sha1', 23)]]) } as const
      return quote({
        banks: [of(0, 8), second],
        attest: { selections: selectionsOf([of(0, 8), bankValues('sha1', [22])]) },
      })
    },
  },
]

/** A TPMT_SIGNATURE that names SHA-256 as its hash. */
function asSha256(signature: Uint8Array): Uint8Array {
  const { alg } = HASHES.sha256
  return signature.with(2, alg >> 8).with(3, alg & 0xff)
}

const SIGNATURES: readonly NearMiss[] = [
  miss('VER-EVIDENCE-OTHER-AK', 'a quote by another key', { signer: stranger }),
  {
    sends: 'a quote by that key',
    evidence: () => quote({ signer: stranger, key: stranger.public }),
  },
  miss('VER-EVIDENCE-OTHER-AK', 'a quote by the other key again', { signer: stranger }),
  ...(['sha1', 'sha384', 'sha512'] as const).map((bank) =>
    miss('VER-EVIDENCE-SIGNATURE', `a quote whose signature is over ${bank} and names SHA-256`, {
      signer: { ...attester, sign: (message) => asSha256(attester.sign(message, bank)) },
    }),
  ),
  miss('VER-EVIDENCE-SIGNATURE', 'a quote whose clock was changed after it was signed', {
    sent: (message) => message.with(-40, (message.at(-40) ?? 0) ^ 1),
  }),
  miss('VER-EVIDENCE-SIGNATURE', 'a quote with a byte behind it after it was signed', {
    sent: (message) => cat(message, filled(1)),
  }),
]

/** TPMA_OBJECT (Part 2, 8.3) of keys that sign, or may come to sign, what their TPM did not make. */
const ATTRIBUTES = [
  ['that is not restricted', 0x0004_0072],
  ['that does not sign', 0x0001_0072],
  ['that may leave its TPM', 0x0005_0070],
  ['that may leave its TPM and get another parent', 0x0005_0060],
  ['that its TPM did not make', 0x0005_0052],
] as const

/** Quotes by the key that signed good ones, whose public area says something else. */
const KEYS: readonly NearMiss[] = ATTRIBUTES.flatMap(([says, objectAttributes]) =>
  [{}, { again: true } as const].map((repeated) => ({
    sends: `a quote by a key ${says}${'again' in repeated ? ', again' : ''}`,
    breaks: 'VER-EVIDENCE-AK-RESTRICTED',
    ...repeated,
    evidence: () => quote({ key: tpm2bPublic({ ...attester.area, objectAttributes }) }),
  })),
)

export const QUOTES: NearMissGroup = {
  id: 'quotes',
  title: 'The verifier compares nonce, digest, selection, signature and key of a quote in full',
  rows: [
    ...GOOD,
    ...HASH_ALGS,
    ...NONCES,
    ...STRUCTURES,
    ...DIGESTS,
    ...SELECTIONS,
    ...SIGNATURES,
    ...KEYS,
    ...GOOD,
  ],
}

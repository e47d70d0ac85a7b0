import { createHash, createPublicKey } from 'node:crypto'
import type { Machine } from '../../simulator/machine/machine.ts'
import { TPM_ALG, TPM_GENERATED_VALUE, TPM_ST } from '../../simulator/tpm/constants.ts'
import { type Bank, bankOf, digest, HASHES } from '../../simulator/tpm/hash.ts'
import { keyObjectOf, parseTpm2bPublic } from '../../simulator/tpm/public.ts'
import { verifySignature } from '../../simulator/tpm/signature.ts'
import { cat, equal, filled, toHex } from '../../simulator/tpm/write.ts'
import { unbase64 } from '../client/bytes.ts'
import type { ReadQuote } from './read-quote.ts'

/** A quote, compared with the state of the machine and the registration. */
export interface QuoteFindings {
  readonly isQuote: boolean
  readonly isSignature: boolean
  /** Whether the signature verifies with the registered key. */
  readonly signed: boolean
  /** The form of the nonce in the quote. */
  readonly nonce: 'text' | 'decoded' | 'another'
  readonly bank: Bank | undefined
  /** PCRs of the first part, ascending. */
  readonly pcrs: readonly number[]
  /** Whether the third part has the same PCRs, and its values hash to the quoted digest. */
  readonly fits: boolean
  /** PCRs whose value in the third part differs from the machine's. PCR 16 belongs to the agent and is excluded. */
  readonly untrue: readonly number[]
  /** The value of PCR 16 in the third part, in hexadecimal. */
  readonly pcr16: string | undefined
  readonly scheme: 'rsassa' | 'rsapss' | 'ecdsa' | 'another'
}

/** The PCR that an agent extends with its public key. */
const NODE_KEY_PCR = 16

const SCHEMES: ReadonlyMap<number | undefined, QuoteFindings['scheme']> = new Map([
  [TPM_ALG.RSASSA, 'rsassa'],
  [TPM_ALG.RSAPSS, 'rsapss'],
  [TPM_ALG.ECDSA, 'ecdsa'],
] as const)

/** Compares a quote with the state of the machine, without a policy. */
export async function compareQuote(
  quote: ReadQuote,
  known: {
    readonly machine: Pick<Machine, 'tpm'>
    /** `aik_tpm` of the registration. */
    readonly attestationKey: string
    readonly nonce: string
  },
): Promise<QuoteFindings> {
  const { attest, signature, pcrs, message } = quote
  const attested = attest?.attested
  const selection = attested?.kind === 'quote' ? attested.pcrSelect : []
  const bank = selection.length === 1 ? bankOf(selection[0]?.hash ?? 0) : undefined
  const quoted = [...(selection[0]?.pcrs ?? [])].sort((a, b) => a - b)
  const given = new Map((pcrs?.selections[0]?.pcrs ?? []).map((pcr, at) => [pcr, pcrs?.values[at]]))
  const own = bank === undefined ? new Map() : await known.machine.tpm.pcrRead(bank, quoted)
  const key = keyObjectOf(parseTpm2bPublic(unbase64(known.attestationKey)))
  const pcr16 = given.get(NODE_KEY_PCR)
  return {
    isQuote:
      attest?.magic === TPM_GENERATED_VALUE &&
      attest.type === TPM_ST.ATTEST_QUOTE &&
      attest.leftover.length === 0,
    isSignature: signature !== undefined && !hasLeftover(signature),
    signed: signature !== undefined && verifySignature(message, signature, key),
    nonce: nonceIn(attest?.extraData ?? filled(0), known.nonce),
    bank,
    pcrs: quoted,
    fits: bank !== undefined && fits(quote, quoted, bank),
    untrue: quoted.filter(
      (pcr) => pcr !== NODE_KEY_PCR && !isSame(given.get(pcr), own.get(pcr) as Uint8Array),
    ),
    pcr16: pcr16 && toHex(pcr16),
    scheme: SCHEMES.get(signature?.sigAlg) ?? 'another',
  }
}

function hasLeftover(signature: NonNullable<ReadQuote['signature']>): boolean {
  return 'leftover' in signature && signature.leftover.length > 0
}

function isSame(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  return one !== undefined && other !== undefined && equal(one, other)
}

function nonceIn(extraData: Uint8Array, nonce: string): QuoteFindings['nonce'] {
  if (equal(extraData, new TextEncoder().encode(nonce))) return 'text'
  return nonce !== '' && equal(extraData, unbase64(nonce)) ? 'decoded' : 'another'
}

/** The quoted digest uses the hash of the signature scheme (Part 3, 18.4). */
function fits({ attest, signature, pcrs }: ReadQuote, quoted: readonly number[], bank: Bank) {
  if (attest?.attested.kind !== 'quote' || pcrs === undefined) return false
  const [selection] = pcrs.selections
  const about = [...(selection?.pcrs ?? [])].sort((a, b) => a - b)
  const hash = signature !== undefined && 'hash' in signature ? bankOf(signature.hash) : undefined
  return (
    hash !== undefined &&
    pcrs.selections.length === 1 &&
    selection?.hash === HASHES[bank].alg &&
    about.join() === quoted.join() &&
    pcrs.leftover.length === 0 &&
    equal(digest(hash, cat(...pcrs.values)), attest.attested.pcrDigest)
  )
}

/** The forms of a public key that PCR 16 may be extended with (ambiguity PCR16). */
const PUBLIC_KEY_FORMS = ['PEM', 'PEM without its last newline', 'DER'] as const
type PublicKeyForm = (typeof PUBLIC_KEY_FORMS)[number]

/** The form of the public key that PCR 16 was extended with, starting from zeros; undefined if none matches. */
export function measuredForm(
  pem: string,
  bank: Bank,
  pcr16: string | undefined,
): PublicKeyForm | undefined {
  const forms: Readonly<Record<PublicKeyForm, () => Uint8Array | undefined>> = {
    PEM: () => new TextEncoder().encode(pem),
    'PEM without its last newline': () => new TextEncoder().encode(pem.trimEnd()),
    DER: () => derOf(pem),
  }
  return PUBLIC_KEY_FORMS.find((form) => {
    const data = forms[form]()
    return data !== undefined && extendedOnce(bank, data) === pcr16
  })
}

/** Undefined if the text is no public key. */
function derOf(pem: string): Uint8Array | undefined {
  try {
    return createPublicKey(pem).export({ type: 'spki', format: 'der' })
  } catch {
    return undefined
  }
}

function extendedOnce(bank: Bank, data: Uint8Array): string {
  const measured = createHash(bank).update(data).digest()
  return createHash(bank).update(filled(HASHES[bank].size)).update(measured).digest('hex')
}

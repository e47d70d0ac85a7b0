import { listIn, member } from '../../simulator/services/choose-evidence.ts'
import type { Attributes } from '../../simulator/services/verifier-truth.ts'
import { parseAttest, type TPMS_ATTEST } from '../../simulator/tpm/attest.ts'
import { TPM_ALG, TPM_GENERATED_VALUE, TPM_ST } from '../../simulator/tpm/constants.ts'
import { type Bank, bankOf, digest } from '../../simulator/tpm/hash.ts'
import { keyObjectOf, parseTpm2bPublic } from '../../simulator/tpm/public.ts'
import {
  parseSignature,
  type TPMT_SIGNATURE,
  verifySignature,
} from '../../simulator/tpm/signature.ts'
import { cat, equal, fromHex, toHex } from '../../simulator/tpm/write.ts'
import { unbase64 } from '../client/bytes.ts'
import type { PushOperation } from '../peers/push-timeline.ts'
import { isBase64 } from './read-quote.ts'

/** An attestation and its signature as a push agent sends them; unreadable parts are undefined. */
interface ReadAttestation {
  /** The signed bytes. */
  readonly message: Uint8Array
  readonly attest: TPMS_ATTEST | undefined
  readonly signature: TPMT_SIGNATURE | undefined
  /** Whether each member is base64. */
  readonly encoded: { readonly message: boolean; readonly signature: boolean }
  /** Bare structures, or with a size prefix; undefined if they cannot be parsed. */
  readonly form: 'bare' | 'sized' | undefined
}

const SIZE_BYTES = 2

/** Parses `message` and `signature` of a proof or a quote, without checks. */
export function readAttestation(data: unknown): ReadAttestation {
  const [message, signature] = [textIn(data, 'message'), textIn(data, 'signature')]
  const bytes = unbase64(message)
  const bare = attempt(() => parseAttest(bytes))
  const isBare = bare?.magic === TPM_GENERATED_VALUE
  const signed = isBare ? bytes : bytes.subarray(SIZE_BYTES)
  const attest = isBare ? bare : attempt(() => parseAttest(signed))
  const raw = unbase64(signature)
  const form = attest === undefined ? undefined : isBare ? 'bare' : 'sized'
  return {
    ...{ message: signed, attest, form },
    signature: attempt(() => parseSignature(raw)),
    encoded: { message: isBase64(message), signature: isBase64(signature) },
  }
}

/** A member that is a text; else the empty text. */
function textIn(data: unknown, name: string): string {
  const value = member(data, name)
  return typeof value === 'string' ? value : ''
}

/** Whether the signature verifies with the key in `aikTpm`, a TPM2B_PUBLIC in base64. */
export function isSignedBy({ message, signature }: ReadAttestation, aikTpm: unknown): boolean {
  const key = attempt(() => keyObjectOf(parseTpm2bPublic(unbase64(String(aikTpm)))))
  return (
    key !== undefined &&
    signature !== undefined &&
    attempt(() => verifySignature(message, signature, key)) === true
  )
}

/** The form of a challenge in the qualifying data of an attestation. */
export function challengeIn(
  { attest }: Pick<ReadAttestation, 'attest'>,
  challenge: string,
): 'decoded' | 'text' | 'another' {
  const extra = attest?.extraData ?? new Uint8Array()
  if (extra.length > 0 && equal(extra, unbase64(challenge))) return 'decoded'
  return equal(extra, new TextEncoder().encode(challenge)) ? 'text' : 'another'
}

const SCHEMES: ReadonlyMap<number | undefined, string> = new Map([
  [TPM_ALG.RSASSA, 'rsassa'],
  [TPM_ALG.RSAPSS, 'rsapss'],
  [TPM_ALG.ECDSA, 'ecdsa'],
])

export const schemeOf = ({ signature }: ReadAttestation): string =>
  SCHEMES.get(signature?.sigAlg) ?? 'another'

/** Evidence of one cycle, by item. */
interface ReadEvidence {
  readonly collected: unknown
  readonly types: readonly string[]
  data(type: string): Attributes | undefined
}

export function readEvidence({ request: { json } }: Pick<PushOperation, 'request'>): ReadEvidence {
  const collected = member(member(member(json, 'data'), 'attributes'), 'evidence_collected')
  const items = listIn(collected)
  return {
    collected,
    types: items.map((item) => String(member(item, 'evidence_type'))),
    data: (type) => {
      const item = items.find((one) => member(one, 'evidence_type') === type)
      return member(item, 'data') as Attributes | undefined
    },
  }
}

/** The chosen parameters of an evidence type; undefined if it was not requested. */
export function chosenFor(
  { attestation }: Pick<PushOperation, 'attestation'>,
  type: string,
): Attributes | undefined {
  return attestation?.requested.find(({ evidence_type }) => evidence_type === type)
    ?.chosen_parameters
}

/** The selected PCRs, from either form of the request, in its order. */
export function chosenPcrs(chosen: Attributes | undefined): readonly number[] {
  const subjects = chosen?.['selected_subjects']
  const pcrs = Array.isArray(subjects) ? subjects : Object.values((subjects ?? {}) as object)[0]
  return (pcrs ?? []) as readonly number[]
}

/** A quote in evidence, compared with the state of its machine at that moment. */
export interface QuoteSeen {
  readonly read: ReadAttestation
  readonly isQuote: boolean
  readonly bank: Bank | undefined
  /** Ascending. */
  readonly pcrs: readonly number[]
  /** Whether `subject_data` is an object from PCR number to string. */
  readonly isObject: boolean
  readonly valueForm: 'hex' | 'base64' | undefined
  /** Whether the values hash to the signed digest. */
  readonly fits: boolean
  /** PCRs whose value differs from the machine's. PCR 16 belongs to the agent and is excluded. */
  readonly untrue: readonly number[]
  /** The value of PCR 10 in hexadecimal; undefined if absent. */
  readonly pcr10: string | undefined
}

const OWN_PCR = 16

export async function seeQuote(operation: PushOperation): Promise<QuoteSeen> {
  const data = readEvidence(operation).data('tpm_quote')
  const read = readAttestation(data)
  const { attest } = read
  const attested = attest?.attested
  const selection = attested?.kind === 'quote' ? attested.pcrSelect : []
  const bank = selection.length === 1 ? bankOf(selection[0]?.hash ?? 0) : undefined
  const pcrs = [...(selection[0]?.pcrs ?? [])].toSorted((one, other) => one - other)
  const subjects = data?.['subject_data']
  const values = valuesOf(subjects)
  const known = bank && (await operation.known?.pcrs)?.get(bank)
  const given = (pcr: number) => values?.bytes.get(pcr)
  const isSame = (pcr: number) => {
    const [one, other] = [given(pcr), known?.get(pcr)]
    return one !== undefined && other !== undefined && equal(one, other)
  }
  const pcr10 = given(10)
  return {
    ...{ read, bank, pcrs },
    isQuote: attest?.type === TPM_ST.ATTEST_QUOTE && attested?.kind === 'quote',
    isObject: values !== undefined,
    valueForm: values?.form,
    fits: values !== undefined && fits(read, pcrs, given),
    untrue: pcrs.filter((pcr) => pcr !== OWN_PCR && !isSame(pcr)),
    pcr10: pcr10 && toHex(pcr10),
  }
}

interface Values {
  readonly form: 'hex' | 'base64'
  readonly bytes: ReadonlyMap<number, Uint8Array>
}

const HEX = /^(?:[0-9a-f]{2})+$/i

function valuesOf(subjects: unknown): Values | undefined {
  if (typeof subjects !== 'object' || subjects === null || Array.isArray(subjects)) return undefined
  const entries = Object.entries(subjects)
  const known = entries.every(([pcr, text]) => /^\d+$/.test(pcr) && typeof text === 'string')
  if (!known) return undefined
  const form = entries.every(([, text]) => HEX.test(text)) ? 'hex' : 'base64'
  const read = form === 'hex' ? fromHex : unbase64
  return { form, bytes: new Map(entries.map(([pcr, text]) => [Number(pcr), read(text)])) }
}

/** The quoted digest uses the hash of the signature scheme (TPM 2.0 Part 3, 18.4). */
function fits(
  { attest, signature }: ReadAttestation,
  pcrs: readonly number[],
  given: (pcr: number) => Uint8Array | undefined,
): boolean {
  const hash = signature !== undefined && 'hash' in signature ? bankOf(signature.hash) : undefined
  const values = pcrs.map(given).filter((value) => value !== undefined)
  if (attest?.attested.kind !== 'quote' || hash === undefined || values.length !== pcrs.length)
    return false
  return equal(digest(hash, cat(...values)), attest.attested.pcrDigest)
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

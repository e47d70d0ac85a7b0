import type { AttestingMachine } from '../../../simulator/machine/unbooted-machine.ts'
import { BANKS, type Bank } from '../../../simulator/tpm/hash.ts'
import { toHex } from '../../../simulator/tpm/write.ts'
import { show, showMember } from '../../attempt/check.ts'
import { PrerequisiteFailed } from '../../attempt/endings.ts'
import { at, attributes, type Reply } from '../../attempt/reply.ts'
import type { Dialect } from '../../dialects/dialect.ts'
import { base64, unbase64 } from '../bytes.ts'
import { BINARY_LIST } from './capabilities.ts'
import { type PcrValues, quotedPcrs, readSelectedPcrs, writeSubjectData } from './subject-data.ts'
import { type MutateAttest, withMutatedAttest } from './with-mutated-attest.ts'

/** The verifier's answer to the capabilities. */
export interface Negotiation {
  readonly reply: Reply
  /** Index of the attestation, as the verifier wrote it. */
  readonly index: string
  /** qualifyingData that the quote must contain. */
  readonly challenge: Uint8Array
  readonly requested: readonly Requested[]
}

export interface Requested {
  readonly evidence_class: string
  readonly evidence_type: string
  readonly chosen_parameters: Readonly<Record<string, unknown>>
}

/** A defect in evidence; every absent member is correct. */
export interface Defect {
  /** qualifyingData of the attestation. Default: the challenge. */
  readonly challenge?: Uint8Array
  /** The TPM command that makes the attestation. Default `quote`. */
  readonly attestation?: 'quote' | 'time'
  /** Mutates the quote before it is signed. Needs a machine with soft keys. */
  readonly attest?: MutateAttest
  readonly message?: (message: Uint8Array) => Uint8Array
  readonly signature?: (signature: Uint8Array) => Uint8Array
  /** Describes an intended deviation from the harness's request schema. */
  readonly says?: string
  /** Edits the PCR values before they are encoded. */
  readonly subjects?: (values: PcrValues) => PcrValues
  readonly imaList?: (list: Uint8Array) => Uint8Array
  readonly uefiLog?: (log: Uint8Array) => Uint8Array
  /** Runs between the quote and the logs that are read after it. */
  readonly afterQuote?: () => Promise<unknown>
}

/**
 * Reads the answer to the capabilities.
 *
 * @throws {PrerequisiteFailed} if it has no attestation index, or requests no quote over a challenge
 */
export function readNegotiation(reply: Reply, dialect: Dialect): Negotiation {
  const requested = attributes(reply, 'evidence_requested')
  const index = attestationIndex(at(reply.body, 'data')) ?? lastSegment(reply.headers.location)
  const list = Array.isArray(requested) ? (requested as Requested[]) : []
  const quote = list.find((item) => at(item, 'evidence_type') === 'tpm_quote')
  const challenge = at(quote, 'chosen_parameters', 'challenge')
  if (typeof challenge !== 'string' || typeof index !== 'string') {
    throw new PrerequisiteFailed({
      requirement: typeof index === 'string' ? 'ATT-CHALLENGE' : 'ATT-INDEX-ASSIGNED',
      what: 'the answer to the capabilities',
      expected: 'an attestation index, and a request for a tpm_quote with a challenge',
      received: `index ${showMember(index, reply)}, and the requests ${show(requested)}`,
    })
  }
  const bytes = challengeBytes(challenge, dialect)
  return { reply, index, challenge: signable(bytes, 'ATT-CHALLENGE'), requested: list }
}

/** Index of an attestation as a string: its `id`, or else the last segment of its link. */
export function attestationIndex(resource: unknown): string | undefined {
  const id = at(resource, 'id')
  return typeof id === 'string' ? id : lastSegment(at(resource, 'links', 'self'))
}

/** The qualifying data for a challenge. */
export function challengeBytes(challenge: string, dialect: Dialect): Uint8Array {
  const decoded = dialect['challenge-bytes'] === 'decoded'
  return decoded ? unbase64(challenge) : new TextEncoder().encode(challenge)
}

/** Bytes of TPM2B_DATA: a digest of SHA-512 and its algorithm. */
const LONGEST_QUALIFYING_DATA = 66

/** Returns the challenge. @throws {PrerequisiteFailed} if no TPM can sign it, with the requirement on challenges */
export function signable(challenge: Uint8Array, requirement: string): Uint8Array {
  if (challenge.length <= LONGEST_QUALIFYING_DATA) return challenge
  throw new PrerequisiteFailed({
    ...{ requirement, what: 'the challenge' },
    expected: `at most ${LONGEST_QUALIFYING_DATA} bytes, the most that a TPM signs`,
    received: `${challenge.length} bytes`,
  })
}

function lastSegment(path: unknown): string | undefined {
  return typeof path === 'string' ? path.split('/').at(-1) : undefined
}

/** Body of the evidence PATCH: one item for each requested item, in the same order. */
export async function collectEvidence(
  machine: AttestingMachine,
  { requested, challenge }: Negotiation,
  defect: Defect,
  dialect: Dialect,
): Promise<unknown> {
  const collected = []
  for (const item of requested) {
    const { evidence_class, evidence_type } = item
    collected.push({
      evidence_class,
      evidence_type,
      data: await dataOf(machine, item, challenge, defect, dialect),
    })
  }
  return { data: { type: 'attestation', attributes: { evidence_collected: collected } } }
}

async function dataOf(
  machine: AttestingMachine,
  item: Requested,
  challenge: Uint8Array,
  defect: Defect,
  dialect: Dialect,
): Promise<unknown> {
  switch (item.evidence_type) {
    case 'tpm_quote':
      return quoteData(
        machine,
        item.chosen_parameters,
        defect.challenge ?? challenge,
        defect,
        dialect,
      )
    case 'ima_log':
      return imaData(machine, item.chosen_parameters, defect, dialect)
    case 'uefi_log':
      return { entries: base64((defect.uefiLog ?? identity)(machine.uefi.bytes)) }
    default:
      throw new PrerequisiteFailed({
        ...{ requirement: 'ATT-SELECTION-TYPES', what: 'the requested evidence' },
        ...{ expected: 'only offered types', received: show(item.evidence_type) },
      })
  }
}

async function quoteData(
  machine: AttestingMachine,
  chosen: Requested['chosen_parameters'],
  qualifyingData: Uint8Array,
  defect: Defect,
  dialect: Dialect,
): Promise<unknown> {
  const bank = bankOf(chosen.hash_algorithm)
  const selected = readSelectedPcrs(chosen.selected_subjects, bank, dialect)
  const pcrs = quotedPcrs(selected, dialect)
  const quote = await withMutatedAttest(machine, defect.attest, () =>
    machine.quote({ qualifyingData, bank, pcrs }),
  )
  const time = defect.attestation === 'time' ? await machine.getTime({ qualifyingData }) : undefined
  await defect.afterQuote?.()
  const values = Object.fromEntries(
    [...quote.pcrValues].map(([pcr, value]) => [String(pcr), toHex(value)]),
  )
  return {
    subject_data: writeSubjectData((defect.subjects ?? identity)(values), bank, dialect),
    message: base64((defect.message ?? identity)(time?.message ?? quote.message)),
    signature: base64((defect.signature ?? identity)(time?.signature ?? quote.signature)),
  }
}

/** @throws {PrerequisiteFailed} if it is the name of no bank */
function bankOf(name: unknown): Bank {
  const bank = BANKS.find((one) => one === name)
  if (bank !== undefined) return bank
  throw new PrerequisiteFailed({
    ...{ requirement: 'ATT-SELECTION-HASH', what: '`hash_algorithm` of the requested quote' },
    ...{ expected: `one of ${BANKS.join(', ')}`, received: show(name) },
  })
}

function imaData(
  machine: AttestingMachine,
  chosen: Requested['chosen_parameters'],
  defect: Defect,
  dialect: Dialect,
): unknown {
  const from = Number(chosen.starting_offset ?? 0)
  const mutate = defect.imaList ?? identity
  const binary = chosen.format === BINARY_LIST
  const list = mutate(binary ? machine.ima.binary(from) : machine.ima.ascii(from))
  const inBase64 = binary || dialect['ima-entries'] === 'base64'
  const counted = dialect['ima-entry-count'] === 'present'
  return {
    ...(counted ? { entry_count: machine.ima.count - from } : {}),
    entries: inBase64 ? base64(list) : EVERY_CHARACTER.decode(list),
  }
}

/** Keeps a byte order mark, because the machine sent it. */
const EVERY_CHARACTER = new TextDecoder('utf-8', { ignoreBOM: true })

function identity<T>(value: T): T {
  return value
}

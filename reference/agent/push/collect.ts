import { isUtf8 } from 'node:buffer'
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { toBase64 } from '../../bytes/base64.ts'
import { toHex } from '../../bytes/hex.ts'
import type { Algorithms } from '../../config/algorithms.ts'
import { writePcrBlob } from '../../evidence/quote/pcr-blob.ts'
import type { Attester } from '../attester/attester.ts'
import type { BootLog } from '../logs/boot-log.ts'
import type { ImaLog } from '../logs/ima-log.ts'
import { framesOf, textOf } from '../logs/ima-log.ts'
import { BINARY_FORMAT, formatOf, type KindOfKey, kindOfKey } from './capabilities.ts'
import { challengeOf } from './challenge.ts'
import { eventEnds } from './count-entries.ts'
import type { Challenge, RequestedItem } from './events.ts'

/** The requested evidence cannot be sent, as it was not offered; the message is a clause for the log. */
export class Unacceptable extends Error {}

type Data = Readonly<Record<string, unknown>>

/** Where evidence comes from. */
export interface EvidenceSources {
  readonly attester: Pick<Attester, 'algorithms' | 'akPublic' | 'quote' | 'pcrs'>
  readonly imaLog: ImaLog
  readonly bootLog: BootLog
  /** The agent's name for its attestation key; verifiers may choose the key by it. */
  readonly keyName: string
}

/** Collects the data of one item. @throws {Unacceptable} */
type Collect = (
  sources: EvidenceSources,
  parameters: RequestedItem['chosen_parameters'],
  challenge: Challenge,
) => Promise<Data>

/** A kind of evidence that can be requested, by class and type. */
export interface Collector {
  readonly evidence_class: string
  readonly evidence_type: string
  readonly collect: Collect
}

/**
 * In this order, not in that of the request: the kernel adds a line to its list before it extends the PCR, so
 * that a list that is read after the quote has all that the quote is over.
 */
export const COLLECTORS: readonly Collector[] = [
  { evidence_class: 'certification', evidence_type: 'tpm_quote', collect: collectQuote },
  { evidence_class: 'log', evidence_type: 'ima_log', collect: collectImaLog },
  { evidence_class: 'log', evidence_type: 'uefi_log', collect: collectBootLog },
]

/** `evidence_collected`: an item for each that is requested, in the order of the request. @throws {Unacceptable} */
export async function collectEvidence(
  collectors: readonly Collector[],
  sources: EvidenceSources,
  challenge: Challenge,
): Promise<readonly object[]> {
  const collected = new Map<RequestedItem, object>()
  for (const item of challenge.requested) collectorOf(collectors, item)
  for (const collector of collectors)
    for (const item of challenge.requested.filter((one) => isOf(collector, one))) {
      const { evidence_class, evidence_type, chosen_parameters } = item
      const data = await collector.collect(sources, chosen_parameters, challenge)
      collected.set(item, { evidence_class, evidence_type, data })
    }
  return challenge.requested.flatMap((item) => collected.get(item) ?? [])
}

function isOf(collector: Collector, item: RequestedItem): boolean {
  return (
    collector.evidence_class === item.evidence_class &&
    collector.evidence_type === item.evidence_type
  )
}

function collectorOf(collectors: readonly Collector[], item: RequestedItem): Collector {
  const found = collectors.find((collector) => isOf(collector, item))
  if (found === undefined) throw new Unacceptable('evidence of another kind is requested')
  return found
}

const Pcr = Type.Integer({ minimum: 0, maximum: 23 })
const Numbers = Type.Array(Pcr)
const QuoteParameters = Compile(
  Type.Object({
    challenge: Type.String(),
    signature_scheme: Type.String(),
    hash_algorithm: Type.String(),
    selected_subjects: Type.Union([
      Numbers,
      Type.Record(Type.String(), Type.Union([Type.Null(), Type.Array(Pcr)])),
    ]),
    certification_key: Type.Optional(
      Type.Object({
        key_class: Type.Optional(Type.String()),
        key_algorithm: Type.Optional(Type.String()),
        key_size: Type.Optional(Type.Number()),
        server_identifier: Type.Optional(Type.String()),
        public: Type.Optional(Type.String()),
      }),
    ),
  }),
)

/** The longest qualifying data of a TPM, with any hash (TPM2B_DATA, Part 2, 10.4.3). */
const LONGEST_CHALLENGE = 64

async function collectQuote(
  { attester, keyName }: EvidenceSources,
  parameters: RequestedItem['chosen_parameters'],
): Promise<Data> {
  if (!QuoteParameters.Check(parameters))
    throw new Unacceptable('the parameters of the quote cannot be read')
  const { algorithms, akPublic } = attester
  const { signature_scheme, hash_algorithm, certification_key: key } = parameters
  const nonce = challengeOf(parameters.challenge)
  if (nonce === undefined || nonce.length > LONGEST_CHALLENGE)
    throw new Unacceptable(`the challenge is not base64 of 1 to ${LONGEST_CHALLENGE} bytes`)
  if (signature_scheme !== algorithms.signing)
    throw new Unacceptable('the chosen signature scheme was not offered')
  if (hash_algorithm !== algorithms.hash)
    throw new Unacceptable('the chosen hash algorithm was not offered')
  if (key !== undefined && !isOfKind(key, algorithms))
    throw new Unacceptable('the chosen key is of another kind than the one that was offered')
  if ((key?.server_identifier ?? keyName) !== keyName || !isShown(akPublic, key?.public))
    throw new Unacceptable('the chosen key was not offered')
  const has = await attester.pcrs()
  const pcrs = pcrsIn(parameters.selected_subjects, hash_algorithm)
  if (pcrs.length === 0 || !pcrs.every((pcr) => has.includes(pcr)))
    throw new Unacceptable('no PCR is chosen, or one that was not offered')
  const { message, signature, pcrs: values } = await attester.quote({ nonce, pcrs })
  const isList = Array.isArray(parameters.selected_subjects)
  return {
    subject_data: isList ? subjectsOf(values) : blobOf(hash_algorithm, values),
    message: toBase64(message),
    signature: toBase64(signature),
  }
}

/** Whether the members of a chosen key that describe it, as far as they are there, are those that were offered. */
function isOfKind(
  chosen: { readonly [Member in keyof KindOfKey]?: unknown },
  algorithms: Algorithms,
): boolean {
  const kind = kindOfKey(algorithms)
  return (['key_class', 'key_algorithm', 'key_size'] as const).every(
    (member) => chosen[member] === undefined || chosen[member] === kind[member],
  )
}

type Subjects = readonly number[] | Readonly<Record<string, readonly number[] | null>>

/** Of the document's list, or of upstream's object by bank; ascending, each once. */
function pcrsIn(subjects: Subjects, bank: string): readonly number[] {
  const chosen = Array.isArray(subjects) ? subjects : new Map(Object.entries(subjects)).get(bank)
  return [...new Set<number>(chosen ?? [])].sort((one, other) => one - other)
}

type Values = ReadonlyMap<number, Uint8Array>

function subjectsOf(values: Values): Data {
  return Object.fromEntries([...values].map(([pcr, value]) => [pcr, toHex(value)]))
}

/** The form that upstream accepts: PCR values as the usual tools write them. The reply has the form of the request. */
function blobOf(bank: string, values: Values): string {
  return toBase64(writePcrBlob([{ bank, values }]))
}

/** With its two bytes of size or without them (ambiguity PUBENC). */
function isShown(akPublic: Uint8Array, shown: string | undefined): boolean {
  return shown === undefined || [toBase64(akPublic), toBase64(akPublic.subarray(2))].includes(shown)
}

const LogParameters = Compile(
  Type.Object({
    starting_offset: Type.Optional(Type.Integer({ minimum: 0 })),
    entry_count: Type.Optional(Type.Integer({ minimum: 0 })),
    format: Type.Optional(Type.String()),
  }),
)

function readLogParameters(parameters: RequestedItem['chosen_parameters']) {
  if (!LogParameters.Check(parameters))
    throw new Unacceptable('the parameters of a log cannot be read')
  return parameters
}

function checkFormat(chosen: string | undefined, offered: string): void {
  if ((chosen ?? offered) !== offered)
    throw new Unacceptable('the chosen format of a log was not offered')
}

/**
 * The list from the chosen entry on. It may have grown since it was offered, and the quote is over that too: all of it
 * is sent, unless fewer entries were chosen than were offered. File names may hold bytes that
 * are not UTF-8, which JSON cannot carry: such lines go in base64 (ambiguity ENTRIES).
 */
async function collectImaLog(
  { imaLog }: EvidenceSources,
  parameters: RequestedItem['chosen_parameters'],
  { listed }: Challenge,
): Promise<Data> {
  const { starting_offset: from = 0, entry_count, format } = readLogParameters(parameters)
  const part = await imaLog(from)
  if (part === undefined || part.entry !== from)
    throw new Unacceptable(`the measurement list has no entry ${from}, as after a reboot`)
  checkFormat(format, formatOf(part))
  const { linesIn, skip } = framesOf(part)
  const wanted = entry_count ?? listed - from
  const { lines: all } = part
  const lines = wanted < listed - from ? all.subarray(0, skip(all, wanted)) : all
  return {
    entry_count: linesIn(lines),
    entries: !part.isBinary && isUtf8(lines) ? textOf({ lines }) : toBase64(lines),
  }
}

/** The events that are asked for; the header of the log goes with the first of them. */
async function collectBootLog(
  { bootLog }: EvidenceSources,
  parameters: RequestedItem['chosen_parameters'],
): Promise<Data> {
  const { starting_offset: from = 0, entry_count, format } = readLogParameters(parameters)
  checkFormat(format, BINARY_FORMAT)
  const log = await bootLog()
  if (log === undefined) throw new Unacceptable('the firmware log is gone')
  const ends = eventEnds(log)
  const until = Math.min(from + (entry_count ?? ends.length), ends.length)
  // One that cannot be read is sent too: the verifier evaluates it.
  if (from === 0 && until === ends.length) return { entries: toBase64(log) }
  if (from > ends.length) throw new Unacceptable(`the firmware log has no event ${from}`)
  const startOf = (event: number): number => (event === 0 ? 0 : (ends[event - 1] ?? log.length))
  return { entries: toBase64(log.subarray(startOf(from), startOf(until))) }
}

import { PrerequisiteFailed } from '../../conformance/attempt/endings.ts'
import type { Negotiation, Requested } from '../../conformance/client/agents/evidence.ts'
import { quotedPcrs, readSelectedPcrs } from '../../conformance/client/agents/subject-data.ts'
import { base64 } from '../../conformance/client/bytes.ts'
import type { Dialect } from '../../conformance/dialects/dialect.ts'
import type { ImaEntry } from '../../simulator/ima/list.ts'
import { extendValues } from '../../simulator/ima/template.ts'
import type { Machine } from '../../simulator/machine/machine.ts'
import { runtimePolicyOf } from '../../simulator/platform/boot-facts.ts'
import type { Quote } from '../../simulator/platform/quote-pcrs.ts'
import { parseAttest } from '../../simulator/tpm/attest.ts'
import { type Bank, digest } from '../../simulator/tpm/hash.ts'
import { parsePcrBlob, writePcrBlob } from '../../simulator/tpm/pcr-blob.ts'
import { selectPcrs } from '../../simulator/tpm/pcr-selection.ts'
import { parseTpm2bPublic } from '../../simulator/tpm/public.ts'
import { cat, filled, toHex } from '../../simulator/tpm/write.ts'
import { applyAt, type MutationStep, partsOf } from './encode.ts'
import type { Contradiction } from './oracle/contradiction.ts'
import { contradictionsOf } from './oracle/contradictions.ts'
import type { Draft, Parts } from './stages.ts'

/** What a virtual TPM was asked for, and what it gave; its signature stays as it is, whatever is then mutated. */
export interface Recording {
  readonly machine: Machine
  readonly negotiation: Negotiation
  readonly bank: Bank
  readonly quote: Quote
  /** The list from where it was asked for. */
  readonly listed: readonly ImaEntry[]
  /** PCR 10 before the first of these. */
  readonly start: Uint8Array
  /** The reference state that the verifier was given for the machine, as JSON text. */
  readonly bootPolicy?: string
}

function itemOf({ requested }: Negotiation, type: string): Requested {
  const item = requested.find(({ evidence_type }) => evidence_type === type)
  if (item === undefined) throw new PrerequisiteFailed(`no ${type} was requested`)
  return item
}

/** SHA-256 PCR 10 of a machine that measured these. */
function replayed(entries: readonly ImaEntry[]): Uint8Array {
  return entries
    .filter(({ pcr }) => pcr === 10)
    .reduce((value, entry) => digest('sha256', cat(value, extendValues(entry).sha256)), filled(32))
}

/** Quotes what the verifier asked for, over its challenge. */
export async function recordEvidence(
  machine: Machine,
  negotiation: Negotiation,
  dialect: Dialect,
  bootPolicy?: string,
): Promise<Recording> {
  const { chosen_parameters: chosen } = itemOf(negotiation, 'tpm_quote')
  const bank = String(chosen.hash_algorithm) as Bank
  const pcrs = quotedPcrs(readSelectedPcrs(chosen.selected_subjects, bank, dialect), dialect)
  const quote = await machine.quote({ qualifyingData: negotiation.challenge, bank, pcrs })
  const from = Number(itemOf(negotiation, 'ima_log').chosen_parameters.starting_offset ?? 0)
  const { entries } = machine.ima
  return {
    ...{ machine, negotiation, bank, quote },
    ...{ listed: entries.slice(from), start: replayed(entries.slice(0, from)) },
    ...(bootPolicy !== undefined && { bootPolicy }),
  }
}

/** The recorded evidence, mutated: what was signed keeps the signature that it had before. */
export function mutateRecording(recording: Recording, steps: readonly MutationStep[]): Parts {
  const { machine, bank, quote, listed } = recording
  const draft: Draft = {
    attest: parseAttest(quote.message),
    selections: [selectPcrs(bank, [...quote.pcrValues.keys()])],
    values: [...quote.pcrValues.values()],
    listed,
    ...(recording.bootPolicy !== undefined && { bootLog: machine.uefi.bytes }),
  }
  const shown = parseTpm2bPublic(machine.ak.public)
  return partsOf(applyAt('draft', draft, steps), steps, shown, () => quote.signature)
}

/** PCR values in the form of the dialect, and the blob that says the same. */
interface Shown {
  readonly sent: unknown
  readonly pcrs: Uint8Array
}

/** An object from number to value has neither counts nor banks: what it cannot say is not said. A blob that cannot be read stays one. */
function shownPcrs(pcrs: Uint8Array, bank: Bank, dialect: Dialect): Shown {
  const blob = { sent: base64(pcrs), pcrs }
  if (dialect['subject-data'] === 'blob') return blob
  try {
    const { selections, values } = parsePcrBlob(pcrs)
    const numbers = selections.flatMap((one) => one.pcrs)
    const pairs = new Map(values.map((value, at) => [numbers[at] ?? at, value]))
    const ordered = [...pairs].toSorted(([one], [other]) => one - other)
    const selection = selectPcrs(
      bank,
      ordered.map(([pcr]) => pcr),
    )
    return {
      sent: Object.fromEntries(ordered.map(([pcr, value]) => [pcr, toHex(value)])),
      pcrs: writePcrBlob(
        [selection],
        ordered.map(([, value]) => value),
      ),
    }
  } catch (error) {
    if (error instanceof Error) return blob
    throw error
  }
}

const NOTHING = new Uint8Array()

function dataOf(type: string, parts: Parts, recording: Recording, dialect: Dialect): unknown {
  if (type === 'tpm_quote') {
    const { message, signature, pcrs } = parts
    const signed = { message: base64(message), signature: base64(signature) }
    return { subject_data: shownPcrs(pcrs, recording.bank, dialect).sent, ...signed }
  }
  if (type === 'uefi_log') return { entries: base64(parts.bootLog ?? NOTHING) }
  const counted = dialect['ima-entry-count'] === 'present'
  const raw = dialect['ima-entries'] === 'raw'
  return {
    ...(counted ? { entry_count: recording.listed.length } : {}),
    entries: raw ? new TextDecoder().decode(parts.list) : base64(parts.list),
  }
}

/** Body of the evidence PATCH, as JSON text. */
export function patchBody(parts: Parts, recording: Recording, dialect: Dialect): string {
  const collected = recording.negotiation.requested.map(({ evidence_class, evidence_type }) => ({
    ...{ evidence_class, evidence_type },
    data: dataOf(evidence_type, parts, recording, dialect),
  }))
  return JSON.stringify({
    data: { type: 'attestation', attributes: { evidence_collected: collected } },
  })
}

/** What the mutated recording says and must not, to a verifier that enrolled this machine with the policy of its boot. */
export function contradictionsOfRecording(
  parts: Parts,
  { machine, negotiation, bank, start, bootPolicy }: Recording,
  dialect: Dialect,
): readonly Contradiction[] {
  const { message, signature, list, bootLog } = parts
  const { pcrs } = shownPcrs(parts.pcrs, bank, dialect)
  return contradictionsOf({
    ...{ message, signature, pcrs },
    ...{ key: machine.ak.public, nonces: [negotiation.challenge], hashAlg: bank },
    ...(bank === 'sha256' ? { list: { text: list, start } } : {}),
    runtimePolicy: JSON.stringify(runtimePolicyOf(machine.ima.entries)),
    ...(bootLog !== undefined && { bootLog }),
    ...(bootPolicy !== undefined && { bootPolicy }),
  })
}

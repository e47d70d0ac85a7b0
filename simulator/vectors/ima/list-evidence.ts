import { writeAsciiList } from '../../ima/ascii.ts'
import { type ImaEntry, writeImaList } from '../../ima/list.ts'
import { imaBufEntry, imaEntry } from '../../ima/make-entry.ts'
import { extendValues } from '../../ima/template.ts'
import { eccAttester } from '../../machine/soft-attester.ts'
import { type RuntimePolicy, runtimePolicyOf } from '../../platform/boot-facts.ts'
import { digest } from '../../tpm/hash.ts'
import { cat, filled, text } from '../../tpm/write.ts'
import type { Evidence, Json, JsonObject, LongText, Variant } from '../form.ts'
import { base64, softQuote } from '../quote/soft-quote.ts'

export const IMA_PCR = 10
const attester = eccAttester('adversarial')

/** SHA-256 of a file's content, derived from its name. */
export function contentOf(path: string): Uint8Array {
  return digest('sha256', text(`content of ${path}`))
}

/** An entry of a file that was measured. */
export function ran(path: string, template = 'ima-ng'): ImaEntry {
  return imaEntry(template, { path, digest: contentOf(path) })
}

/** The list of most variants: a boot, critical data, and files in two templates. */
export const ENTRIES: readonly ImaEntry[] = [
  ran('boot_aggregate'),
  imaBufEntry('kernel_version', text('6.1.0-56-cloud-amd64')),
  ran('/usr/bin/first'),
  ran('/usr/bin/second', 'ima-sig'),
  ran('/usr/bin/third'),
]

/** The same with a file in a template that not every verifier supports. */
export const ENTRIES_NGV2: readonly ImaEntry[] = [...ENTRIES, ran('/usr/bin/fourth', 'ima-ngv2')]

/** Returns PCR 10 of the SHA-256 bank after a kernel has measured these entries. */
export function measuredPcr(entries: readonly ImaEntry[]): Uint8Array {
  const extend = (value: Uint8Array, entry: ImaEntry) =>
    digest('sha256', cat(value, extendValues(entry).sha256))
  return entries.reduce(extend, filled(32))
}

/** Returns a quote over the PCR 10 to which a list replays. */
export function quoteOver(entries: readonly ImaEntry[]): JsonObject {
  const values = new Map([[IMA_PCR, measuredPcr(entries)]])
  const { quote = null } = softQuote(attester, [{ bank: 'sha256', values }]).evidence
  return { quote }
}

/** Returns a list in base64, or in parts of base64 that are joined. */
export function asciiList(list: Uint8Array | LongText): JsonObject {
  return listMember('ascii', list)
}

export function binaryList(list: Uint8Array): JsonObject {
  return listMember('binary', list)
}

function listMember(format: string, list: Uint8Array | LongText): JsonObject {
  const entries = list instanceof Uint8Array ? base64(list) : list
  return { ima: { format, entries: entries as Json, starting_offset: 0 } }
}

/** Returns the policy that accepts exactly these entries, with some other members. */
export function policyOver(
  entries: readonly ImaEntry[],
  change: Partial<RuntimePolicy> = {},
): JsonObject {
  return { runtime_policy: { ...runtimePolicyOf(entries), ...change } as unknown as JsonObject }
}

/** Returns evidence of a machine that measured these entries and sends their list. */
export function listEvidence(entries: readonly ImaEntry[], format: 'ascii' | 'binary'): Evidence {
  const { tpm_policy: _, ...members } = softQuote(attester, []).evidence
  const list = format === 'ascii' ? asciiMeasured(entries) : binaryMeasured(entries)
  return { ...members, ...list, ...policyOver(entries) }
}

/** Returns the quote and the list of a machine that measured these entries. */
export function asciiMeasured(entries: readonly ImaEntry[]): JsonObject {
  return { ...quoteOver(entries), ...asciiList(writeAsciiList(entries)) }
}

export function binaryMeasured(entries: readonly ImaEntry[]): JsonObject {
  return { ...quoteOver(entries), ...binaryList(writeImaList(entries)) }
}

/** The ASCII list of the baseline with one line edited, counted from 0; the quote does not match it. */
export function editedLine(at: number, edit: (line: string) => string): JsonObject {
  const lines = Buffer.from(writeAsciiList(ENTRIES)).toString('latin1').split('\n')
  const edited = lines.map((line, index) => (index === at ? edit(line) : line)).join('\n')
  return asciiList(new Uint8Array(Buffer.from(edited, 'latin1')))
}

/** The part of a variant that differs within its case. */
export type Row = Omit<Variant, 'case' | 'id' | 'of'> & {
  /** End of the id. */
  readonly slug: string
  /** The baseline, if not that of the case. */
  readonly of?: string
}

/** Returns the variants of one case: `e6-58-` and the slug. */
export function variantsOf(
  section: 'e6' | 'e7',
  number: number,
  baseline: string,
  rows: readonly Row[],
): readonly Variant[] {
  return rows.map(({ slug, of = baseline, ...rest }) => ({
    case: number,
    id: `${section}-${number}-${slug}`,
    of,
    ...rest,
  }))
}

type Ending = Pick<Variant, 'outcome' | 'type'>

/** The evidence chain is broken; the reference reports this type. */
function broken(type: string): Ending {
  return { outcome: 'broken_evidence_chain', type }
}

/** The list replays, and the policy does not allow one of its entries. */
export function against(type: string): Ending {
  return { outcome: 'policy_violation', type }
}

export const PASS: Ending = { outcome: 'pass' }
export const EITHER: Ending = { outcome: 'either' }

export const UNREADABLE = broken('ima.parser.entry')
export const MISMATCH = broken('ima.pcr_mismatch')
export const FALSE_HASH = broken('ima.validation.ima_hash')
export const NO_VALIDATOR = against('ima.validation.no_validator')

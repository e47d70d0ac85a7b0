import { bankOf, HASHES } from '../../../simulator/tpm/hash.ts'
import { parsePcrBlob } from '../../../simulator/tpm/pcr-blob.ts'
import {
  pcrsOfBitmap,
  presentPcrSelections,
  presentPcrs,
  type TPMS_PCR_SELECTION,
} from '../../../simulator/tpm/pcr-selection.ts'
import type { Blob } from '../blob.ts'
import type { Field } from '../inspection.ts'
import { type Meanings, readFields, type Structure } from '../read-fields.ts'
import { algorithm, bytes, numberLe, shortHex } from '../show.ts'
import type { WarningId, Warnings } from '../warnings.ts'
import { warnOfSelections } from './inspect-attest.ts'
import { pcrName } from './pcr-names.ts'
import { numberOf, readSlots, SLOTS, type SlotField, VALUES } from './pcr-slots.ts'

const count = (raw: Uint8Array): string => String(numberLe(raw))

/** Explanations of the PCR part of a pull quote, a little-endian dump of C structures. */
const PCRS_MEANINGS: Meanings = {
  count: { means: 'number of used slots, of 16', show: count },
  'selections.hash': {
    means: 'the bank: each bank has its own set of PCRs',
    show: (raw) => algorithm(Number(numberLe(raw))),
  },
  'selections.sizeofSelect': {
    means: 'length of the bitmap that follows',
    show: (raw) => bytes(numberLe(raw)),
  },
  'selections.pcrSelect': {
    means: 'the selected PCRs, one bit each',
    show: (raw) => `PCR ${presentPcrs(pcrsOfBitmap(raw))}`,
  },
  'selections.padding': { means: 'padding to eight bytes by the compiler', show: count },
  lists: { means: 'number of lists with eight values that follow', show: count },
  'list.count': { means: 'number of used values, of eight', show: count },
  leftover: { means: 'bytes after the end of the structure', show: (raw) => bytes(raw.length) },
}

export const PCRS_PART = 'PCR values'
export const PCRS_ABOUT = 'values of the PCRs; only their hash is signed'

export type PcrBlob = ReturnType<typeof parsePcrBlob>

const LISTS_AT = 132
const LIST_SIZE = 532

/** The PCR to which a value belongs. */
interface Register {
  readonly bank: string
  readonly size: number | undefined
  readonly pcr: number
}

/** Decodes the little-endian PCR values up to the first error, and collects warnings. */
export function readPcrsPart({ bytes }: Blob, warnings: Warnings): Structure<PcrBlob> {
  const read = readFields(PCRS_PART, bytes, PCRS_MEANINGS, parsePcrBlob)
  if (read.value !== undefined) warnOfBlob(bytes, read.value, read.fields, warnings)
  return { ...read, fields: tidy(read.fields, registersOf(read.value?.selections ?? [])) }
}

/** The selected PCRs in the order of their values: by bank, then ascending. */
function registersOf(selections: readonly TPMS_PCR_SELECTION[]): readonly Register[] {
  return selections.flatMap(({ hash, pcrs }) => {
    const bank = bankOf(hash)
    const size = bank && HASHES[bank].size
    return pcrs.map((pcr) => ({ bank: algorithm(hash), size, pcr }))
  })
}

/** Merges fields for display: each value with its size in one row, and adjacent unused slots in one row. */
function tidy(fields: readonly Field[], registers: readonly Register[]): readonly Field[] {
  const slots = readSlots(fields)
  const values = slots.filter(({ kind, used }) => kind === 'size' && used)
  return slots.flatMap((slot, at) => {
    const before = slots[at - 1]
    if (!slot.used) return before?.used === false ? [] : [unusedField(slots.slice(at))]
    if (slot.kind === 'buffer') return []
    if (slot.kind !== 'size') return [slot.field]
    return [valueField(slot.field, slots[at + 1]?.field, registers[values.indexOf(slot)])]
  })
}

/** One row for the unused slots at the start of `slots`. */
function unusedField(slots: readonly SlotField[]): Field {
  const end = slots.findIndex(({ used }) => used)
  const fields = slots.slice(0, end === -1 ? slots.length : end).map(({ field }) => field)
  const raw = fields.map((field) => field.raw).join('')
  const { path = '', offset = 0 } = fields[0] ?? {}
  const last = /\[(\d+)\]\.[a-zA-Z]+$/.exec(fields.at(-1)?.path ?? '')?.[1] ?? ''
  return {
    path: path.replace(/(\d+)\]\.[a-zA-Z]+$/, (_, first) => `${first}…${last}]`),
    offset,
    length: raw.length / 2,
    raw,
    value: /[^0]/.test(raw) ? 'NOT all zero' : 'all zero',
    means: 'unused slots',
  }
}

function valueField(size: Field, buffer: Field | undefined, register: Register | undefined): Field {
  const path = size.path.replace(/\.size$/, '')
  const means =
    register === undefined
      ? 'a value without a selected PCR'
      : `PCR ${register.pcr} of ${register.bank}: ${pcrName(register.pcr)}`
  if (buffer === undefined)
    return { ...size, value: `expected ${numberOf(size)} more bytes`, means }
  const value = shortHex(buffer.raw.slice(0, 2 * numberOf(size)), 16) || 'empty'
  return {
    path,
    offset: size.offset,
    length: size.length + buffer.length,
    raw: size.raw + buffer.raw,
    value,
    means,
  }
}

function warnOfBlob(
  bytes: Uint8Array,
  { selections, values, leftover }: PcrBlob,
  fields: readonly Field[],
  warnings: Warnings,
): void {
  const warn = (id: WarningId, path: string, says: string) => {
    const offset = fields.find((field) => field.path === path)?.offset ?? 0
    warnings.add(id, { part: PCRS_PART, offset, path, says })
  }
  warnOfSelections(selections, 'selections', (id, path, says) =>
    warn(id, path === 'selections.count' ? 'count' : path, says),
  )
  const size = bytes.length - LISTS_AT - 4
  if (size % LIST_SIZE !== 0) warn('odd-blob-size', 'leftover', `${bytes.length} bytes`)
  if (leftover.length > 0) warn('trailing-bytes', 'leftover', `${leftover.length} bytes`)
  warnOfCounts(fields, warn)
  warnOfPadding(fields, warn)
  warnOfValues(registersOf(selections), values, warn)
}

function warnOfCounts(fields: readonly Field[], warn: Warn): void {
  for (const field of fields) {
    if (field.path !== 'count' && !field.path.endsWith('.count')) continue
    const most = field.path === 'count' ? SLOTS : VALUES
    const count = numberOf(field)
    if (count > most) warn('counts-too-large', field.path, `${count} of ${most} slots`)
  }
}

type Warn = (id: WarningId, path: string, says: string) => void

/** tpm2-tools writes zeros in all bytes that no count or size covers. */
function warnOfPadding(fields: readonly Field[], warn: Warn): void {
  for (const { field, kind, used, size } of readSlots(fields)) {
    const rest = kind === 'buffer' && used ? field.raw.slice(2 * size) : field.raw
    const padding = !used || kind === 'buffer' || field.path.endsWith('.padding')
    if (padding && /[^0]/.test(rest)) warn('odd-padding', field.path, shortHex(rest, 16))
  }
}

function warnOfValues(
  registers: readonly Register[],
  values: readonly Uint8Array[],
  warn: Warn,
): void {
  if (registers.length !== values.length) {
    warn('value-count', 'lists', `${values.length} values, ${registers.length} PCRs`)
  }
  values.forEach((value, at) => {
    const register = registers[at]
    if (register?.size === undefined || value.length === register.size) return
    const path = `list[${Math.floor(at / VALUES)}].digests[${at % VALUES}].size`
    warn(
      'odd-value-size',
      path,
      `${value.length} bytes for PCR ${register.pcr} of ${register.bank}`,
    )
  })
}

/** `sha256: 10,16 (2 values)`. */
export function pcrsFact({ selections, values }: PcrBlob): string {
  return `${presentPcrSelections(selections) || 'none'} (${values.length} ${values.length === 1 ? 'value' : 'values'})`
}

import { BANKS, bitsOf, Reading } from './reading.ts'

/** Banks in order, each with its values. */
export type ModelPcrs = readonly {
  readonly bank: string
  readonly values: ReadonlyMap<number, Uint8Array>
}[]

const SLOTS = 16
const SLOT_BYTES = 8
const LISTS_AT = 4 + SLOTS * SLOT_BYTES
const LIST_BYTES = 4 + 8 * 66

/** A blob of values by its fixed places, or undefined when it is none. */
export function modelPcrBlob(bytes: Uint8Array): ModelPcrs | undefined {
  const wanted = selectedIn(bytes)
  const digests = digestsIn(bytes)
  if (!wanted || !digests || wanted.flatMap(([, pcrs]) => pcrs).length !== digests.length)
    return undefined
  if (new Set(wanted.map(([row]) => row[0])).size !== wanted.length) return undefined
  const rest = [...digests]
  const pcrs = wanted.map(([[bank, size], numbers]) => {
    const values = new Map(numbers.map((pcr) => [pcr, rest.shift() ?? new Uint8Array()]))
    return { bank, size, values }
  })
  const fits = pcrs.every(({ size, values }) =>
    [...values.values()].every((v) => v.length === size),
  )
  return fits ? pcrs : undefined
}

type Row = readonly [name: string, size: number, openssl: string]

function selectedIn(bytes: Uint8Array): readonly (readonly [Row, readonly number[]])[] | undefined {
  const reading = new Reading(bytes.subarray(0, LISTS_AT), 'little')
  const count = reading.number(4)
  if (reading.short || count < 1 || count > SLOTS) return undefined
  const rows: (readonly [Row, readonly number[]])[] = []
  for (let slot = 0; slot < SLOTS; slot++) {
    const row = BANKS.get(reading.number(2))
    const size = reading.number(1)
    const bitmap = reading.bytes(3)
    reading.bytes(2)
    if (slot >= count && size !== 0) return undefined
    if (slot >= count) continue
    if (!row || size !== 3) return undefined
    rows.push([row, bitsOf(bitmap)])
  }
  return reading.exact ? rows : undefined
}

function digestsIn(bytes: Uint8Array): readonly Uint8Array[] | undefined {
  const reading = new Reading(bytes.subarray(LISTS_AT), 'little')
  const lists = reading.number(4)
  if (reading.short || lists * LIST_BYTES !== reading.left) return undefined
  const digests: Uint8Array[] = []
  for (let list = 0; list < lists; list++) {
    const count = reading.number(4)
    if (count < 1 || count > 8) return undefined
    for (let at = 0; at < 8; at++) {
      const size = reading.number(2)
      const buffer = reading.bytes(64)
      if (size > 64) return undefined
      if (at < count) digests.push(buffer.subarray(0, size))
    }
  }
  return digests
}

/** The two forms of `subject_data`, or undefined when it is neither. */
export function modelSubjectData(value: unknown, bank: string): ModelPcrs | undefined {
  if (typeof value === 'string') {
    const bytes = new Uint8Array(Buffer.from(value, 'base64'))
    return Buffer.from(bytes).toString('base64') === value ? modelPcrBlob(bytes) : undefined
  }
  const size = [...BANKS.values()].find(([name]) => name === bank)?.[1]
  if (size === undefined || typeof value !== 'object' || value === null || Array.isArray(value))
    return undefined
  const values = new Map<number, Uint8Array>()
  for (let pcr = 0; pcr < 24; pcr++) {
    const digest = digestOf(Object.getOwnPropertyDescriptor(value, String(pcr))?.value, size)
    if (digest) values.set(pcr, digest)
  }
  const whole = values.size > 0 && values.size === Object.keys(value).length
  return whole ? [{ bank, values }] : undefined
}

function digestOf(text: unknown, size: number): Uint8Array | undefined {
  if (typeof text !== 'string') return undefined
  const digits = text.startsWith('0x') ? text.slice(2) : text
  const isHex = digits.length === 2 * size && /^[0-9a-fA-F]*$/.test(digits)
  return isHex ? new Uint8Array(Buffer.from(digits, 'hex')) : undefined
}

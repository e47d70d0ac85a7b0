import { Reader } from '../../../bytes/reader.ts'
import { hashById } from '../../../tpm/algorithms.ts'
import { type LogRegisters, PCRS } from './log-registers.ts'
import { textOf } from './text-of.ts'

/** Event types that rule the replay; every other type only matters to a policy (PFP 10.4.1). */
export const EV_NO_ACTION = 0x00000003
export const EV_EFI_HCRTM_EVENT = 0x80000010

/** One event of a boot log. */
export interface BootEvent {
  /** position in the log, the header event not counted */
  readonly number: number
  /** or the number of another register, where the log is not that of a TPM */
  readonly pcr: number
  readonly untrustedType: number
  /** bank -> digest, for the banks this implementation has a name for */
  readonly digests: ReadonlyMap<string, Uint8Array>
  /** the event data, which the digest need not cover */
  readonly raw: Uint8Array
}

/** A boot log that could be read to its end. */
export interface BootLog {
  readonly form: 'sha1' | 'crypto-agile'
  /** banks of the header, by name; `0x…` for an algorithm without one */
  readonly banks: readonly string[]
  readonly events: readonly BootEvent[]
  /** bytes of zeros or ones after the last event */
  readonly padding: number
}

interface BankSize {
  readonly id: number
  readonly size: number
  readonly bank: string
}

const SHA1: BankSize = { id: 0x0004, size: 20, bank: 'sha1' }
const MAX_ALGORITHMS = 16
const NO_PCR = 0xffffffff
const SPEC_ID = 'Spec ID Event03\0'

/** ACPI tables that hold the address of a log, and are sometimes submitted in its place. */
const TABLES: ReadonlySet<string> = new Set(['CCEL', 'TPM2', 'TCPA'])

/**
 * Reads a TCG boot log: crypto-agile (PC Client Platform Firmware Profile 10.4.5) when it begins with a
 * `Spec ID Event03` event, else SHA-1 only.
 *
 * After the last event there may only be padding of zeros or ones. An empty log has no events.
 *
 * @param registers the expected kind of registers; a TPM quote covers PCRs only
 * @param onEnd is given the offset after each event
 * @throws {WireError} at the first byte that does not fit
 */
export function parseBootLog(
  bytes: Uint8Array,
  registers: LogRegisters = PCRS,
  onEnd: (offset: number) => void = () => undefined,
): BootLog {
  const reader = new Reader(bytes, 'LOG', 'little')
  const padding = paddingOf(bytes)
  const banks = reader.field('.header', () => readHeader(reader, registers))
  const events: BootEvent[] = []
  while (reader.remaining > 0 && !isPadding(reader, padding)) {
    const number = events.length
    events.push(reader.field(`[${number}]`, () => readEvent(reader, number, banks, registers)))
    onEnd(reader.offset)
  }
  return {
    form: banks ? 'crypto-agile' : 'sha1',
    banks: (banks ?? [SHA1]).map(({ bank }) => bank),
    events,
    padding: reader.remaining,
  }
}

interface Padding {
  readonly zerosFrom: number
  readonly onesFrom: number
}

/** Where the run of zeros, or of ones, at the end of the log begins. */
function paddingOf(bytes: Uint8Array): Padding {
  const runFrom = (fill: number): number => {
    let at = bytes.length
    while (at > 0 && bytes[at - 1] === fill) at -= 1
    return at
  }
  return { zerosFrom: runFrom(0), onesFrom: runFrom(0xff) }
}

function isPadding(reader: Reader, { zerosFrom, onesFrom }: Padding): boolean {
  return reader.offset >= zerosFrom || reader.offset >= onesFrom
}

/** The banks of a crypto-agile log, or undefined without consuming anything when the log has no such header. */
function readHeader(reader: Reader, registers: LogRegisters): readonly BankSize[] | undefined {
  refuseTable(reader)
  if (!hasSpecId(reader, registers)) return undefined
  reader.take(4 + 4)
  // The header extends nothing: its digest is 20 bytes of zeros (PFP 10.4.5).
  reader.field('.digest', () => reader.padding(SHA1.size))
  const size = reader.field('.eventSize', () => reader.u32())
  return reader.field('.event', () => reader.within(size, () => readSpecId(reader)))
}

function refuseTable(reader: Reader): void {
  const name = textOf(reader.peek(4) ?? new Uint8Array())
  if (TABLES.has(name))
    throw reader.error(`is the ACPI table ${name}, which points to a log and is not one`)
}

function hasSpecId(reader: Reader, { name, first, keeper }: LogRegisters): boolean {
  const head = reader.peek(4 + 4 + 20 + 4 + SPEC_ID.length)
  if (!head || textOf(head.subarray(32)) !== SPEC_ID) return false
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  const register = view.getUint32(0, true)
  if (register !== first)
    throw reader.error(
      `the header is for register ${register}, expected ${name} ${first}: not the log of ${keeper}`,
    )
  return view.getUint32(4, true) === EV_NO_ACTION
}

/** TCG_EfiSpecIDEvent (PFP 10.4.5.1) */
function readSpecId(reader: Reader): readonly BankSize[] {
  reader.take(SPEC_ID.length + 4)
  const at = reader.offset
  const [minor, major, , uintnSize] = reader.take(4)
  if (major !== 2) throw reader.error(`specification version ${major}.${minor}, expected 2.x`, at)
  if (uintnSize !== 1 && uintnSize !== 2)
    throw reader.error(`uintnSize is ${uintnSize}, expected 1 or 2`, at + 3)
  const banks = reader.field('.digestSizes', () => readBankSizes(reader))
  reader.field('.vendorInfo', () => reader.take(reader.u8()))
  return banks
}

function readBankSizes(reader: Reader): readonly BankSize[] {
  const at = reader.offset
  const count = reader.u32()
  if (count < 1 || count > MAX_ALGORITHMS)
    throw reader.error(`${count} algorithms, 1 to ${MAX_ALGORITHMS} allowed`, at)
  const banks = Array.from({ length: count }, (_, index) =>
    reader.field(`[${index}]`, () => readBankSize(reader)),
  )
  if (new Set(banks.map(({ id }) => id)).size !== count)
    throw reader.error('an algorithm is listed twice', at)
  return banks
}

function readBankSize(reader: Reader): BankSize {
  const at = reader.offset
  const id = reader.u16()
  const size = reader.u16()
  const known = hashById(id)
  if (known && known.size !== size)
    throw reader.error(`${size} bytes for ${known.name}, expected ${known.size}`, at + 2)
  return { id, size, bank: known?.name ?? `0x${id.toString(16).padStart(4, '0')}` }
}

function readEvent(
  reader: Reader,
  number: number,
  banks: readonly BankSize[] | undefined,
  { name, first, last }: LogRegisters,
): BootEvent {
  const at = reader.offset
  const pcr = reader.field('.pcrIndex', () => reader.u32())
  const untrustedType = reader.field('.eventType', () => reader.u32())
  // Windows notes its trust points under PCR -1; an EV_NO_ACTION event extends nothing, so no PCR is meant.
  const measures = untrustedType !== EV_NO_ACTION || pcr !== NO_PCR
  if ((pcr < first || pcr > last) && measures)
    throw reader.error(`${name} ${pcr}, ${first} to ${last} allowed`, at)
  const digests = reader.field('.digests', () =>
    banks ? readDigests(reader, banks) : new Map([[SHA1.bank, reader.take(SHA1.size)]]),
  )
  const raw = reader.field('.event', () => reader.take(reader.u32()))
  return { number, pcr, untrustedType, digests, raw }
}

/** TPML_DIGEST_VALUES: each with its algorithm, in any order, not necessarily all that the header lists. */
function readDigests(reader: Reader, banks: readonly BankSize[]): ReadonlyMap<string, Uint8Array> {
  const at = reader.offset
  const count = reader.u32()
  if (count > banks.length)
    throw reader.error(`${count} digests, the header lists ${banks.length} algorithms`, at)
  const digests = new Map<string, Uint8Array>()
  for (let index = 0; index < count; index++)
    reader.field(`[${index}]`, () => readDigest(reader, banks, digests))
  return digests
}

function readDigest(
  reader: Reader,
  banks: readonly BankSize[],
  digests: Map<string, Uint8Array>,
): void {
  const at = reader.offset
  const id = reader.u16()
  const bank = banks.find((each) => each.id === id)
  if (!bank)
    throw reader.error(`algorithm 0x${id.toString(16).padStart(4, '0')} is not in the header`, at)
  if (digests.has(bank.bank)) throw reader.error(`${bank.bank} has two digests`, at)
  digests.set(bank.bank, reader.take(bank.size))
}

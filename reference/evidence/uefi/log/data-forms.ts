import { equalBytes } from '../../../bytes/equal.ts'
import { toHex } from '../../../bytes/hex.ts'
import type { Reader } from '../../../bytes/reader.ts'
import { type DevicePathNode, readDevicePaths } from './device-path.ts'
import { type EfiVariable, readLength, readVariable } from './efi-variable.ts'
import type { EventTypeName } from './event-types.ts'
import { type MeasuredGpt, readGpt } from './gpt.ts'
import {
  readSignature,
  readSignatureLists,
  type SignatureEntry,
  UNKNOWN_OWNER,
} from './signature-lists.ts'
import { textOf } from './text-of.ts'
import type { WorkaroundName } from './workarounds.ts'

/** The decoded data of an event whose digest covers it. */
export type KnownData =
  | { readonly what: 'text'; readonly text: string }
  | { readonly what: 'bytes' }
  | { readonly what: 'variable'; readonly variable: EfiVariable }
  | {
      readonly what: 'keys'
      readonly variable: EfiVariable
      readonly entries: readonly SignatureEntry[]
    }
  | {
      readonly what: 'authority'
      readonly variable: EfiVariable
      readonly entry: SignatureEntry | undefined
    }
  | { readonly what: 'boot-option'; readonly variable: EfiVariable; readonly option?: BootOption }
  | { readonly what: 'partitions'; readonly table: MeasuredGpt }
  | { readonly what: 'command'; readonly of: 'grub' | 'kernel' | 'module'; readonly text: string }

/** EFI_LOAD_OPTION (UEFI 3.1.3) */
interface BootOption {
  readonly attributes: number
  readonly description: string
  readonly path: readonly DevicePathNode[]
}

/** A way in which a digest may cover the data of an event. */
export interface Reading {
  /** the part of the data that has to have the digest; undefined when this is no such data */
  covered(raw: Uint8Array): Uint8Array | undefined
  /** the part that is read, when it is not all of it */
  seen?(raw: Uint8Array): Uint8Array
  read(reader: Reader): KnownData
  readonly workaround?: WorkaroundName
}

/** The forms of the data of an event type. */
interface DataForm {
  /** the first one whose digest fits is used; with none, the data stays opaque */
  readonly readings: readonly Reading[]
  /** the form that data has whose digest is of something else; throws a WireError */
  check?(reader: Reader): void
}

const whole = (read: Reading['read']): Reading => ({ covered: (raw) => raw, read })

const text = whole((reader) => ({
  what: 'text',
  text: textOf(reader.take(reader.remaining)),
}))

const bytes = whole((reader) => {
  reader.take(reader.remaining)
  return { what: 'bytes' }
})

/** Variables whose value is a list of signature lists. */
const KEY_VARIABLES: ReadonlySet<string> = new Set([
  ...['PK', 'KEK', 'db', 'dbx', 'dbt', 'dbr', 'vendor_db', 'vendor_dbx'],
])

const config = whole((reader) => {
  const { variable, inside } = readVariable(reader, ({ name }) =>
    KEY_VARIABLES.has(name) ? readSignatureLists(reader) : skip(reader),
  )
  return inside ? { what: 'keys', variable, entries: inside } : { what: 'variable', variable }
})

function skip(reader: Reader): undefined {
  reader.take(reader.remaining)
}

/** Names under which an authority is one signature of a database; the rest are shim's own. */
const SIGNED_BY: ReadonlySet<string> = new Set(['db', 'dbx', 'vendor_db'])
const OWNER = 16

function readAuthority(reader: Reader): KnownData {
  const { variable, inside } = readVariable(reader, ({ name, value }) =>
    SIGNED_BY.has(name) && value.length > OWNER
      ? readSignature(reader, value.length)
      : skip(reader),
  )
  return { what: 'authority', variable, entry: inside }
}

/** Early shims measured the certificate alone, without its owner. */
function readEarlyAuthority(reader: Reader): KnownData {
  const { variable } = readVariable(reader, () => skip(reader))
  reader.padding(EARLY_SHIM_ZEROS)
  const entry = { owner: UNKNOWN_OWNER, data: toHex(variable.value) }
  return { what: 'authority', variable, entry: SIGNED_BY.has(variable.name) ? entry : undefined }
}

const withoutLastByte = (raw: Uint8Array) => raw.subarray(0, -1)
const EARLY_SHIM_ZEROS = 5

const authority: readonly Reading[] = [
  whole(readAuthority),
  {
    covered: (raw) => (raw.length > 0 ? withoutLastByte(raw) : undefined),
    seen: withoutLastByte,
    read: readEarlyAuthority,
    workaround: 'authority-of-early-shim',
  },
]

const BOOT_OPTION = /^(?:Boot|Driver|SysPrep|PlatformRecovery)[0-9A-F]{4}$/

function readBootVariable(reader: Reader): KnownData {
  const { variable, inside } = readVariable(reader, ({ name, value }) =>
    BOOT_OPTION.test(name) && value.length > 0 ? readBootOption(reader) : skip(reader),
  )
  return { what: 'boot-option', variable, ...(inside && { option: inside }) }
}

function readBootOption(reader: Reader): BootOption {
  const attributes = reader.field('.attributes', () => reader.u32())
  const pathLength = reader.field('.filePathListLength', () => reader.u16())
  const description = reader.field('.description', () => readTerminated(reader))
  const path = reader.field('.filePathList', () =>
    reader.within(pathLength, () => readDevicePaths(reader)),
  )
  skip(reader)
  return { attributes, description, path }
}

/** UTF-16 up to a zero character. */
function readTerminated(reader: Reader): string {
  const units: number[] = []
  for (let unit = reader.u16(); unit !== 0; unit = reader.u16()) units.push(unit)
  return Buffer.from(Uint16Array.from(units).buffer).toString('utf16le')
}

/** Bytes before the lengths of UEFI_VARIABLE_DATA, and before its name. */
const LENGTHS_AT = 16
const NAME_AT = 32

/** The value in UEFI_VARIABLE_DATA, or undefined without one. */
function variableValue(raw: Uint8Array): Uint8Array | undefined {
  if (raw.length < NAME_AT) return undefined
  const view = new DataView(raw.buffer, raw.byteOffset, raw.byteLength)
  const name = view.getBigUint64(LENGTHS_AT, true)
  return name * 2n > BigInt(raw.length - NAME_AT)
    ? undefined
    : raw.subarray(NAME_AT + Number(name) * 2)
}

/** Firmware of TCG's earlier specification measures a boot variable's value without its name. */
const boot: readonly Reading[] = [
  whole(readBootVariable),
  { covered: variableValue, read: readBootVariable, workaround: 'boot-variable-value-only' },
]

/** What grub writes before a text it measures, newest first; the digest is that of the text alone. */
const COMMANDS: readonly (readonly [prefix: string, of: 'grub' | 'kernel' | 'module'])[] = [
  ['grub_cmd: ', 'grub'],
  ['kernel_cmdline: ', 'kernel'],
  ['module_cmdline: ', 'module'],
  ['grub_cmd ', 'grub'],
  ['grub_kernel_cmdline ', 'kernel'],
]

const commands = COMMANDS.map(([text, of]): Reading => {
  const prefix = Buffer.from(text, 'latin1')
  const after = (raw: Uint8Array) => {
    const end = raw.at(-1) === 0 ? raw.length - 1 : raw.length
    return raw.subarray(prefix.length, end)
  }
  return {
    covered: (raw) => (startsWith(raw, prefix) ? after(raw) : undefined),
    seen: after,
    read: (reader) => ({ what: 'command', of, text: textOf(reader.take(reader.remaining)) }),
  }
})

function startsWith(raw: Uint8Array, prefix: Uint8Array): boolean {
  return equalBytes(raw.subarray(0, prefix.length), prefix)
}

/** UEFI_IMAGE_LOAD_EVENT (PFP 10.2.3). The digest is that of the image; early shims leave some bytes behind the path. */
function checkImage(reader: Reader): void {
  for (const field of ['.imageLocationInMemory', '.imageLengthInMemory', '.imageLinkTimeAddress'])
    reader.field(field, () => reader.u64())
  const length = reader.field('.lengthOfDevicePath', () => readLength(reader))
  reader.field('.devicePath', () => reader.within(length, () => readDevicePaths(reader)))
}

/** Event type -> what its data may be; data of a type without a row stays opaque. */
export const dataForms: ReadonlyMap<EventTypeName, DataForm> = new Map<EventTypeName, DataForm>([
  ['EV_SEPARATOR', { readings: [bytes] }],
  ['EV_ACTION', { readings: [text] }],
  ['EV_EFI_ACTION', { readings: [text] }],
  ['EV_NONHOST_INFO', { readings: [text] }],
  ['EV_IPL', { readings: [...commands, text] }],
  ['EV_EFI_VARIABLE_DRIVER_CONFIG', { readings: [config] }],
  ['EV_EFI_VARIABLE_AUTHORITY', { readings: authority }],
  ['EV_EFI_VARIABLE_BOOT', { readings: boot }],
  ['EV_EFI_VARIABLE_BOOT2', { readings: boot }],
  [
    'EV_EFI_GPT_EVENT',
    { readings: [whole((reader) => ({ what: 'partitions', table: readGpt(reader) }))] },
  ],
  [
    'EV_EFI_GPT_EVENT2',
    { readings: [whole((reader) => ({ what: 'partitions', table: readGpt(reader) }))] },
  ],
  ['EV_EFI_BOOT_SERVICES_APPLICATION', { readings: [], check: checkImage }],
  ['EV_EFI_BOOT_SERVICES_DRIVER', { readings: [], check: checkImage }],
  ['EV_EFI_RUNTIME_SERVICES_DRIVER', { readings: [], check: checkImage }],
])

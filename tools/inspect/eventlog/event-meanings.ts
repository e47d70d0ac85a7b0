import { Cursor } from '../../../simulator/tpm/cursor.ts'
import { toHex } from '../../../simulator/tpm/write.ts'
import { localityOf } from '../../../simulator/uefi/event-data.ts'
import { EV } from '../../../simulator/uefi/event-types.ts'
import { guidText } from '../../../simulator/uefi/guid.ts'
import { readCommand, readSignatureLists, readVariable } from '../../../simulator/uefi/read-data.ts'
import { readDevicePath } from '../../../simulator/uefi/read-device-path.ts'
import { withoutTrailing } from '../../../simulator/uefi/without-trailing.ts'
import { bytes, numberLe, pathWords, safe } from '../show.ts'

/** Explanation of the data of an event. */
export interface EventMeaning {
  readonly says: string
  /** Byte strings of which the digest must match one; absent if the digest is computed over other content. */
  readonly hashed?: readonly Uint8Array[]
  readonly warning?: { readonly id: 'separator-error'; readonly says: string }
}

type Explain = (data: Uint8Array) => EventMeaning

const latin1 = (data: Uint8Array) => Buffer.from(data).toString('latin1')

function isUtf16(data: Uint8Array): boolean {
  const zeros = data.filter((byte, at) => at % 2 === 1 && byte === 0).length
  return data.length >= 4 && data.length % 2 === 0 && zeros > data.length / 4
}

/** Text in UTF-16LE or UTF-8, without trailing zeros. */
function textIn(data: Uint8Array): string {
  const text = isUtf16(data) ? Buffer.from(data).toString('utf16le') : Buffer.from(data).toString()
  return withoutTrailing(text, '\0')
}

const aText: Explain = (data) => ({ says: pathWords(textIn(data)), hashed: [data] })

const SEPARATOR_OF_ERROR = '01000000'

const separator: Explain = (data) => {
  const value = toHex(data)
  const good = value === '00000000' || value === 'ffffffff'
  if (good) return { says: 'end of the firmware phase, without an error', hashed: [data] }
  const says =
    value === SEPARATOR_OF_ERROR
      ? 'the firmware reports an error'
      : `${value} is not a valid separator`
  return { says, hashed: [data], warning: { id: 'separator-error', says } }
}

const KEYS: ReadonlySet<string> = new Set(['PK', 'KEK', 'db', 'dbx', 'dbt', 'dbr'])

const GUID_SIZE = 16

function keysIn(data: Uint8Array): string {
  const signatures = readSignatureLists(data)
  return signatures.length === 1 ? '1 signature' : `${signatures.length} signatures`
}

function valueText(name: string, data: Uint8Array): string {
  if (data.length === 0) return 'empty'
  if (name === 'SecureBoot') return data[0] === 1 ? 'on' : 'off'
  if (KEYS.has(name)) return keysIn(data)
  if (name === 'BootOrder') return orderIn(data)
  if (/^Boot[0-9A-F]{4}$/.test(name)) return optionIn(data)
  return name === 'SbatLevel' ? pathWords(textIn(data)) : bytes(data.length)
}

function orderIn(data: Uint8Array): string {
  const cursor = new Cursor(data, 'BootOrder')
  const order: string[] = []
  while (cursor.left > 1) order.push(cursor.u16le().toString(16).padStart(4, '0').toUpperCase())
  return order.join(', ')
}

/** EFI_LOAD_OPTION: attributes, length of its path, description, path. */
function optionIn(data: Uint8Array): string {
  const cursor = new Cursor(data, 'EFI_LOAD_OPTION', 4)
  const length = cursor.u16le()
  let description = ''
  for (let unit = cursor.u16le(); unit !== 0; unit = cursor.u16le())
    description += String.fromCharCode(unit)
  const path = readDevicePath(cursor.take(length))
  return `${pathWords(description)} at ${safe(path)}`
}

const variable: Explain = (data) => {
  const { name, data: value, leftover } = readVariable(data)
  const more = leftover > 0 ? `, followed by ${bytes(leftover)}` : ''
  return { says: `variable ${pathWords(name)}: ${valueText(name, value)}${more}`, hashed: [data] }
}

/** The authority that allowed an image to start: a signature in a database, or a variable of shim. */
const authority: Explain = (data) => {
  const { name, data: value } = readVariable(data)
  if (!KEYS.has(name) && name !== 'vendor_db') return variable(data)
  const owner = guidText(value.subarray(0, GUID_SIZE))
  return {
    says: `a signature in ${name}, owner ${owner}, allowed an image to start`,
    hashed: [data],
  }
}

/** Firmware of the older specification measures only the value of a boot variable. */
const bootVariable: Explain = (data) => ({
  ...variable(data),
  hashed: [data, readVariable(data).data],
})

const image: Explain = (data) => {
  const cursor = new Cursor(data, 'UEFI_IMAGE_LOAD_EVENT', 24)
  const length = cursor.u32le()
  cursor.u32le()
  const path = readDevicePath(cursor.take(length))
  return { says: path === '' ? 'an image without a path' : `the image ${safe(path)}` }
}

const blob: Explain = (data) => {
  const cursor = new Cursor(data, 'UEFI_PLATFORM_FIRMWARE_BLOB')
  const [base, length] = [numberLe(cursor.take(8)), numberLe(cursor.take(8))]
  return { says: `firmware volume: ${length} bytes at 0x${base.toString(16)}` }
}

const gpt: Explain = (data) => {
  const count = new Cursor(data, 'UEFI_GPT_DATA', 92).u32le()
  return {
    says: `partition table with ${count === 1 ? '1 partition' : `${count} partitions`}`,
    hashed: [data],
  }
}

const command: Explain = (data) => {
  const found = readCommand(data)
  if (found === undefined) return { says: pathWords(textIn(data)) }
  return { says: `${found.prefix}: ${pathWords(textIn(found.hashed))}`, hashed: [found.hashed] }
}

/** Known tagged events of boot loaders. */
const TAGS: ReadonlyMap<number, string> = new Map([
  [0x8f3b22ec, 'Linux initial RAM disk'],
  [0x8f3b22ed, 'Linux command line'],
  [0xf5bc582a, 'systemd-boot configuration'],
  [0x40010001, 'Windows events, aggregation'],
  [0x40010002, 'Windows events, trust boundary'],
])

const tagged: Explain = (data) => {
  const cursor = new Cursor(data, 'tagged event')
  const [id, size] = [cursor.u32le(), cursor.u32le()]
  const known = TAGS.get(id) ?? `tag 0x${id.toString(16).padStart(8, '0')}`
  return { says: `${known}, ${bytes(size)}` }
}

const informs: Explain = (data) => {
  const locality = localityOf(data)
  if (locality !== undefined) return { says: `the TPM was started from locality ${locality}` }
  const [, signature = ''] = /^([\x20-\x7e]{4,16})\0/.exec(latin1(data.subarray(0, 17))) ?? []
  return { says: signature === '' ? bytes(data.length) : pathWords(signature) }
}

const opaque: Explain = (data) => ({ says: bytes(data.length) })

const EXPLAINED: ReadonlyMap<number, Explain> = new Map<number, Explain>([
  [EV.NO_ACTION, informs],
  [EV.SEPARATOR, separator],
  [EV.ACTION, aText],
  [EV.EFI_ACTION, aText],
  [EV.S_CRTM_VERSION, aText],
  [EV.NONHOST_INFO, aText],
  [EV.EVENT_TAG, tagged],
  [EV.IPL, command],
  [EV.POST_CODE, (data) => ({ says: pathWords(textIn(data)) })],
  [EV.EFI_VARIABLE_DRIVER_CONFIG, variable],
  [EV.EFI_VARIABLE_AUTHORITY, authority],
  [EV.EFI_VARIABLE_BOOT, bootVariable],
  [EV.EFI_VARIABLE_BOOT2, bootVariable],
  [EV.EFI_BOOT_SERVICES_APPLICATION, image],
  [EV.EFI_BOOT_SERVICES_DRIVER, image],
  [EV.EFI_RUNTIME_SERVICES_DRIVER, image],
  [EV.EFI_PLATFORM_FIRMWARE_BLOB, blob],
  [EV.EFI_GPT_EVENT, gpt],
  [EV.EFI_GPT_EVENT2, gpt],
])

/** Explains the data of an event of this type. Throws if the data does not have the form of its type. */
export function explainEvent(type: number, data: Uint8Array): EventMeaning {
  return (EXPLAINED.get(type) ?? opaque)(data)
}

import { cat, filled, text, u8, u16le, u32le } from '../tpm/write.ts'
import { devicePath } from './device-path.ts'
import { guidBytes } from './guid.ts'

/** Eight bytes, little-endian. */
function u64le(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, value, true)
  return bytes
}

/** UTF-16 in little-endian order, without a terminator; an unpaired surrogate is kept. */
export function ucs2(value: string): Uint8Array {
  return new Uint8Array(Buffer.from(value, 'utf16le'))
}

/** A string with its terminating zero, as boot loaders measure their commands. */
export function zeroEnded(value: string): Uint8Array {
  return cat(text(value), filled(1))
}

/** Fields of a UEFI_VARIABLE_DATA; the lengths are correct by default. */
export interface VariableOverrides {
  readonly guid: string
  readonly name: string | Uint8Array
  readonly data: Uint8Array
  /** In characters. */
  readonly nameLength?: bigint
  readonly dataLength?: bigint
}

/** UEFI_VARIABLE_DATA (PFP 10.4.2.6). */
export function variableData({
  guid,
  name,
  data,
  nameLength,
  dataLength,
}: VariableOverrides): Uint8Array {
  const bytes = typeof name === 'string' ? ucs2(name) : name
  return cat(
    guidBytes(guid),
    u64le(nameLength ?? BigInt(Math.ceil(bytes.length / 2))),
    u64le(dataLength ?? BigInt(data.length)),
    bytes,
    data,
  )
}

/** Fields of an EFI_SIGNATURE_LIST; the sizes are correct by default. */
export interface SignatureListOverrides {
  readonly type: string
  readonly owner: string
  readonly signatures: readonly Uint8Array[]
  /** Between the sizes and the signatures; no type in use has one. */
  readonly header?: Uint8Array
  readonly listSize?: number
  readonly headerSize?: number
  readonly signatureSize?: number
}

const LIST_HEAD = 28

/** EFI_SIGNATURE_LIST (UEFI specification, 32.4.1). All signatures of a list have one length. */
export function signatureList(overrides: SignatureListOverrides): Uint8Array {
  const { type, owner, signatures, header = filled(0) } = overrides
  const body = cat(...signatures.map((signature) => cat(guidBytes(owner), signature)))
  const [first = filled(0)] = signatures
  return cat(
    guidBytes(type),
    u32le(overrides.listSize ?? LIST_HEAD + header.length + body.length),
    u32le(overrides.headerSize ?? header.length),
    u32le(overrides.signatureSize ?? 16 + first.length),
    header,
    body,
  )
}

/** One EFI_SIGNATURE_DATA, which an EV_EFI_VARIABLE_AUTHORITY measures from a database. */
export function signatureData(owner: string, signature: Uint8Array): Uint8Array {
  return cat(guidBytes(owner), signature)
}

/** UEFI_IMAGE_LOAD_EVENT (PFP 10.4.2.3). */
export function imageLoad(path: Uint8Array, pathLength = BigInt(path.length)): Uint8Array {
  return cat(u64le(0x7d000000n), u64le(0xe0000n), u64le(0n), u64le(pathLength), path)
}

/** UEFI_PLATFORM_FIRMWARE_BLOB (PFP 10.4.2.4). */
export function firmwareBlob(base: bigint, length: bigint): Uint8Array {
  return cat(u64le(base), u64le(length))
}

/** EFI_LOAD_OPTION (UEFI specification, 3.1.3), the content of BootNNNN. */
export function loadOption(description: string, nodes: readonly Uint8Array[]): Uint8Array {
  const path = devicePath(nodes)
  return cat(u32le(1), u16le(path.length), ucs2(`${description}\0`), path)
}

/** The tagged event of EV_EVENT_TAG (PFP 10.4.2.1). */
export function taggedEvent(id: number, data: Uint8Array, size = data.length): Uint8Array {
  return cat(u32le(id), u32le(size), data)
}

/** A partition of a GPT. */
export interface Partition {
  readonly type: string
  readonly id: string
  readonly name: string
}

const ENTRY_SIZE = 128

function partitionEntry({ type, id, name }: Partition, at: number): Uint8Array {
  const label = filled(72)
  label.set(ucs2(name))
  const [first, last] = [BigInt(2048 * (at + 1)), BigInt(2048 * (at + 2) - 1)]
  return cat(guidBytes(type), guidBytes(id), u64le(first), u64le(last), u64le(0n), label)
}

/** UEFI_GPT_DATA (PFP 10.4.2.5); the count and the size of an entry are correct by default. */
export function gptData(
  disk: string,
  partitions: readonly Partition[],
  { count = BigInt(partitions.length), entrySize = ENTRY_SIZE } = {},
): Uint8Array {
  const header = cat(
    ...[text('EFI PART'), u32le(0x10000), u32le(92), u32le(0), u32le(0)],
    ...[u64le(1n), u64le(0x13fffffn), u64le(34n), u64le(0x13fffden), guidBytes(disk)],
    ...[u64le(2n), u32le(128), u32le(entrySize), u32le(0)],
  )
  return cat(header, u64le(count), ...partitions.map(partitionEntry))
}

const LOCALITY_SIGNATURE = cat(text('StartupLocality'), filled(1))

/** TCG_EfiStartupLocalityEvent (PFP 10.4.5.3). */
export function startupLocality(locality: number): Uint8Array {
  return cat(LOCALITY_SIGNATURE, u8(locality))
}

/** Returns the locality if the data of an EV_NO_ACTION is a StartupLocality. */
export function localityOf(data: Uint8Array): number | undefined {
  const signed = LOCALITY_SIGNATURE.every((byte, at) => data[at] === byte)
  return signed && data.length === LOCALITY_SIGNATURE.length + 1 ? data.at(-1) : undefined
}

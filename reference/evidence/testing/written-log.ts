import { concat, Writer } from '../../bytes/writer.ts'
import { type HashAlgorithm, hashes } from '../../tpm/algorithms.ts'
import { digestOf } from '../../tpm/digest.ts'
import { type EventTypeName, eventTypes } from '../uefi/log/event-types.ts'

/** An event to be written; its digest covers `measured`, by default its data. */
export interface WrittenEvent {
  readonly pcr: number
  readonly type: EventTypeName | number
  readonly data: Uint8Array
  readonly measured?: Uint8Array
}

/** A crypto-agile log, by default with SHA-256 only; each event has its digests in the order of the banks. */
export function writtenLog(
  events: readonly WrittenEvent[],
  banks: readonly HashAlgorithm[] = [hashes.sha256],
): Uint8Array {
  const header = new Writer('little')
  header.put(Buffer.from('Spec ID Event03\0'))
  header.u32(0)
  header.put(Uint8Array.of(0, 2, 0, 2))
  header.u32(banks.length)
  for (const { id, size } of banks) {
    header.u16(id)
    header.u16(size)
  }
  header.u8(0)
  const first = new Writer('little')
  const content = header.finish()
  first.u32(0)
  first.u32(eventTypes.EV_NO_ACTION)
  first.put(new Uint8Array(20))
  first.u32(content.length)
  return concat(first.finish(), content, ...events.map((event) => written(event, banks)))
}

function written(
  { pcr, type, data, measured = data }: WrittenEvent,
  banks: readonly HashAlgorithm[],
): Uint8Array {
  const writer = new Writer('little')
  writer.u32(pcr)
  writer.u32(typeof type === 'number' ? type : eventTypes[type])
  writer.u32(banks.length)
  for (const bank of banks) {
    writer.u16(bank.id)
    writer.put(digestOf(bank, measured))
  }
  writer.u32(data.length)
  writer.put(data)
  return writer.finish()
}

/** Bytes of a text, one for each character. */
export function bytesOf(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'latin1'))
}

const VENDORS = {
  global: '61dfe48bca93d211aa0d00e098032b8c',
  security: 'cbb219d73a3d9645a3bcdad00e67656f',
  shim: '50ab5d6046e00043abb63dd810dd8b23',
} as const

/** UEFI_VARIABLE_DATA. */
export function variableOf(
  vendor: keyof typeof VENDORS,
  name: string,
  value: Uint8Array,
): Uint8Array {
  const writer = new Writer('little')
  writer.put(new Uint8Array(Buffer.from(VENDORS[vendor], 'hex')))
  for (const length of [name.length, value.length]) {
    writer.u32(length)
    writer.u32(0)
  }
  writer.put(new Uint8Array(Buffer.from(name, 'utf16le')))
  writer.put(value)
  return writer.finish()
}

const X509 = 'a159c0a5e494a74a87b5ab155c2bf072'

/** EFI_SIGNATURE_DATA of a certificate, by an owner that is all of one byte. */
export function signatureOf(certificate: Uint8Array, owner = 0x11): Uint8Array {
  return concat(new Uint8Array(16).fill(owner), certificate)
}

/** An EFI_SIGNATURE_LIST of certificates for each signature; the header is skipped by its size. */
export function listsOf(
  signatures: readonly Uint8Array[],
  header: Uint8Array = new Uint8Array(),
): Uint8Array {
  return concat(
    ...signatures.map((signature) => {
      const writer = new Writer('little')
      writer.put(new Uint8Array(Buffer.from(X509, 'hex')))
      writer.u32(28 + header.length + signature.length)
      writer.u32(header.length)
      writer.u32(signature.length)
      writer.put(header)
      writer.put(signature)
      return writer.finish()
    }),
  )
}

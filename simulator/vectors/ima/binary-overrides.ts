import type { ImaEntry } from '../../ima/list.ts'
import { writeImaList } from '../../ima/list.ts'
import { templateData } from '../../ima/template.ts'
import { cat, text, u32, u32le } from '../../tpm/write.ts'
import type { JsonObject } from '../form.ts'
import { binaryList, ENTRIES } from './list-evidence.ts'

/** A binary entry with separate stated and actual lengths; defaults as the kernel writes them. */
interface EntryOverrides {
  readonly templateName?: Uint8Array
  readonly nameLength?: number
  readonly templateHash?: Uint8Array
  readonly data?: Uint8Array
  readonly dataLength?: number
  /** Writes an integer of four bytes; default little-endian. */
  readonly integer?: (value: number) => Uint8Array
}

/** Returns the bytes of an entry of any template except the original one. */
export function entryBytes(entry: ImaEntry, overrides: EntryOverrides = {}): Uint8Array {
  const { integer = u32le, templateName = text(entry.template) } = overrides
  const { data = templateData(entry), templateHash = entry.templateHash } = overrides
  const { nameLength = templateName.length, dataLength = data.length } = overrides
  return cat(
    integer(entry.pcr),
    ...[templateHash, integer(nameLength), templateName],
    ...[integer(dataLength), data],
  )
}

/** The baseline's binary list with overrides in one entry, which the quote does not match. */
export function withEntry(at: number, overrides: EntryOverrides): JsonObject {
  return binaryList(
    cat(
      ...ENTRIES.map((entry, index) =>
        index === at ? entryBytes(entry, overrides) : whole(entry),
      ),
    ),
  )
}

function whole(entry: ImaEntry): Uint8Array {
  return writeImaList([entry])
}

/** Template data of fields with separate stated and actual lengths. */
export function fieldBytes(
  ...fields: readonly (readonly [Uint8Array, length?: number])[]
): Uint8Array {
  return cat(...fields.flatMap(([bytes, length = bytes.length]) => [u32le(length), bytes]))
}

/** Everything in big-endian order, which some kernels can be configured to avoid (ima_canonical_fmt). */
export function bigEndian(entry: ImaEntry): Uint8Array {
  const data = cat(...entry.fields.flatMap((field) => [u32(field.length), field]))
  return entryBytes(entry, { integer: u32, data })
}

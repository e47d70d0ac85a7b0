import { cat, join, text, toHex } from '../tpm/write.ts'
import { type Format, fieldsOf } from './fields.ts'
import type { ImaEntry } from './list.ts'

/** Prints `sha256:` and hexadecimal; the zero byte after the last colon of the prefix ends the algorithm. */
function presentDigest(field: Uint8Array): Uint8Array {
  const end = field.indexOf(0)
  return cat(field.subarray(0, end), text(toHex(field.subarray(end + 1))))
}

function presentUint(field: Uint8Array): Uint8Array {
  const value = field.reduceRight((total, byte) => total * 256n + BigInt(byte), 0n)
  return text(value.toString())
}

/** Prints a name unescaped up to its terminator, including blanks and newlines. */
function presentString(field: Uint8Array): Uint8Array {
  const end = field.indexOf(0)
  return end === -1 ? field : field.subarray(0, end)
}

function presentField(field: Uint8Array, format: Format | undefined): Uint8Array {
  if (field.length === 0) return field
  switch (format) {
    case 'string':
      return presentString(field)
    case 'uint':
      return presentUint(field)
    case 'digest-with-algorithm':
      return presentDigest(field)
    default:
      return text(toHex(field))
  }
}

/**
 * Returns one line of the ASCII list with its newline, byte for byte as the kernel prints it: an empty last field
 * leaves a trailing blank, and a name may contain newlines. Fields of an unknown template are printed in
 * hexadecimal.
 */
export function writeAsciiEntry(entry: ImaEntry): Uint8Array {
  const kinds = fieldsOf(entry.template) ?? []
  const pcr = String(entry.pcr).padStart(2)
  const head = text(`${pcr} ${toHex(entry.templateHash)} ${entry.template}`)
  const fields = entry.fields.map((field, at) =>
    cat(text(' '), presentField(field, kinds[at]?.format)),
  )
  return cat(head, ...fields, text('\n'))
}

/** Returns the ASCII list of the entries as bytes, since file names need not be UTF-8. */
export function writeAsciiList(entries: readonly ImaEntry[]): Uint8Array {
  return join(entries.map(writeAsciiEntry))
}

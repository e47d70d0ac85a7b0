import { base64 } from '../../../conformance/client/bytes.ts'
import type { Machine } from '../../../simulator/machine/machine.ts'

/** Returns the measurement list of a machine as its kernel prints it, from an entry on. */
export function imaListOf({ ima }: Pick<Machine, 'ima'>, from = 0): string {
  return new TextDecoder().decode(ima.ascii(from))
}

/** Returns the firmware log of a machine in base64. */
export function bootLogOf({ uefi }: Pick<Machine, 'uefi'>): string {
  return base64(uefi.bytes)
}

/**
 * Whether a text is the measurement list of a machine, byte for byte, in one of the forms in which a text holds bytes that are
 * not UTF-8: a character for each byte, or a surrogate from U+DC80 to U+DCFF for each byte that is not UTF-8.
 */
export function isImaListOf({ ima }: Pick<Machine, 'ima'>, text: string): boolean {
  const bytes = ima.ascii(0)
  return [Buffer.from(text, 'latin1'), escapedBytes(text)].some((one) => one.equals(bytes))
}

function escapedBytes(text: string): Buffer {
  const parts = Array.from(text, (character) => {
    const code = character.codePointAt(0) ?? 0
    return code >= 0xdc80 && code <= 0xdcff ? Buffer.of(code & 0xff) : Buffer.from(character)
  })
  return Buffer.concat(parts)
}

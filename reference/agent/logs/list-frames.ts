import { readBinaryList } from '../../evidence/ima/list/parse-binary.ts'
import { hashes } from '../../tpm/algorithms.ts'

/** How a measurement list is divided into entries. */
export interface ListFrames {
  /** How many whole entries there are. */
  linesIn(bytes: Uint8Array): number
  /** Where a number of entries is over. */
  skip(bytes: Uint8Array, entries: number): number
}

const NEWLINE = 0x0a

/** Of the ASCII list an entry is a line. */
export const TEXT_FRAMES: ListFrames = {
  linesIn(bytes) {
    let lines = 0
    for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) lines += 1
    return lines
  },
  skip(bytes, lines) {
    let at = 0
    for (let left = lines; left > 0; left--) at = bytes.indexOf(NEWLINE, at) + 1
    return at
  },
}

/** Of the binary list an entry says how long it is. */
export const BINARY_FRAMES: ListFrames = {
  linesIn: (bytes) => endsOf(bytes).length,
  skip: (bytes, entries) => (entries === 0 ? 0 : (endsOf(bytes)[entries - 1] ?? bytes.length)),
}

/** The bytes of the whole entries: the last one may still be written. */
export function wholeEntries(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, endsOf(bytes).at(-1) ?? 0)
}

/** Ends of the entries as far as they are whole; their content is not looked at. */
function endsOf(bytes: Uint8Array): readonly number[] {
  const ends: number[] = []
  readBinaryList(bytes, hashes.sha1, {
    recall: (_list, _start, end) => ends.push(end) > 0,
    visit: () => undefined,
  })
  return ends
}

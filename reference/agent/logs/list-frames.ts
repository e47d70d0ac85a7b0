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

const DIGEST = 20

/** Ends of the entries: PCR, SHA-1, a template name and its data, which the oldest template gives no length of. */
function endsOf(bytes: Uint8Array): readonly number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const sized = (at: number): number =>
    at + 4 > bytes.length ? Number.POSITIVE_INFINITY : at + 4 + view.getUint32(at, true)
  const ends: number[] = []
  for (let start = 0; ; ) {
    const nameEnd = sized(start + 4 + DIGEST)
    const isOldest = Buffer.from(bytes.subarray(start + 8 + DIGEST, nameEnd)).equals(OLDEST)
    const end = sized(nameEnd + (isOldest ? DIGEST : 0))
    if (end > bytes.length) return ends
    ends.push(end)
    start = end
  }
}

/** The template with no length: a digest and a name. */
const OLDEST = Buffer.from('ima')

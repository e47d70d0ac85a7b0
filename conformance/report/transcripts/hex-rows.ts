const BYTES_PER_ROW = 16

/** Hex as rows of 16 bytes with the offset of the first, e.g. `0010  80 02 …`. */
export const hexRows = (hex: string): string => {
  const bytes = hex.match(/../g) ?? []
  const rows: string[] = []
  for (let at = 0; at < bytes.length; at += BYTES_PER_ROW) {
    const offset = at.toString(16).padStart(4, '0')
    rows.push(`${offset}  ${bytes.slice(at, at + BYTES_PER_ROW).join(' ')}`)
  }
  return rows.join('\n')
}

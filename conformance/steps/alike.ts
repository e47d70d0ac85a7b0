/** The longest run of equal bytes at the same place in any two of these values. */
export function longestAlike(values: readonly Uint8Array[]): number {
  const pairs = values.flatMap((one, at) =>
    values.slice(at + 1).map((other) => [one, other] as const),
  )
  return Math.max(0, ...pairs.map(([one, other]) => longestRun(one, other)))
}

function longestRun(one: Uint8Array, other: Uint8Array): number {
  let [longest, run] = [0, 0]
  for (const [at, byte] of one.entries()) {
    run = byte === other[at] ? run + 1 : 0
    longest = Math.max(longest, run)
  }
  return longest
}

/** Arguments of `matches` for {@link longestAlike}: of random values not even four bytes are equal. */
export const LITTLE_ALIKE = [
  'at most 3 equal bytes in a row',
  (bytes: number) => bytes <= 3,
] as const

/** The same for texts of random letters and digits, which have fewer values per byte. */
export const TEXTS_LITTLE_ALIKE = [
  'at most 4 equal characters in a row',
  (characters: number) => characters <= 4,
] as const

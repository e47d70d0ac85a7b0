function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (const [i, a] of [...left].entries()) {
    const next = [i + 1]
    for (const [j, b] of [...right].entries()) {
      const replaced = (row[j] ?? 0) + (a === b ? 0 : 1)
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row[right.length] ?? 0
}

/** The known words within an edit distance of a third of the length of `word`, the nearest first, at most three. */
export function nearestOf(word: string, known: readonly string[]): readonly string[] {
  const limit = Math.max(2, Math.floor(word.length / 3))
  const ranked = known
    .map((candidate) => ({ candidate, distance: editDistance(word, candidate) }))
    .filter(({ distance, candidate }) => distance <= limit && distance < candidate.length)
    .sort((a, b) => a.distance - b.distance)
  return ranked.slice(0, 3).map(({ candidate }) => candidate)
}

/** The known word with the smallest edit distance to `word`; undefined if none is within a third of its length. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  return nearestOf(word, known)[0]
}

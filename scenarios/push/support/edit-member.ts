/**
 * Returns a copy of a JSON value with the member at a path replaced or removed. In a list, a number is an index and
 * a word selects the item of that `evidence_type`. The new value may be computed from the old one.
 *
 * @throws {Error} if the path ends inside a value without members
 */
export function editMember(value: unknown, path: readonly string[], edited: unknown): unknown {
  const [first, ...rest] = path
  if (first === undefined) return typeof edited === 'function' ? edited(value) : edited
  if (Array.isArray(value)) return editList(value, placeOf(value, first), rest, edited)
  if (typeof value !== 'object' || value === null) throw new Error(`unknown member ${first}`)
  const { [first]: old, ...others } = value as Record<string, unknown>
  const member = editMember(old, rest, edited)
  return member === undefined ? others : { ...others, [first]: member }
}

function editList(
  list: readonly unknown[],
  place: number,
  rest: readonly string[],
  edited: unknown,
): readonly unknown[] {
  const item = editMember(list[place], rest, edited)
  return item === undefined ? list.toSpliced(place, 1) : list.with(place, item)
}

function placeOf(list: readonly unknown[], word: string): number {
  if (/^\d+$/.test(word)) return Number(word)
  const place = list.findIndex((item) => Object(item).evidence_type === word)
  if (place < 0) throw new Error(`unknown item ${word}`)
  return place
}

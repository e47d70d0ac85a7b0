/** A lookup table without prototype, so that a hostile key such as `constructor` or `__proto__` finds nothing. */
type Table<Row> = Readonly<Record<string, Row>>

/** Makes a {@link Table}; the keys stay in the type. */
export function table<const Key extends string, Row>(
  rows: Readonly<Record<Key, Row>>,
): Readonly<Record<Key, Row>> {
  return Object.freeze(Object.assign(Object.create(null), rows))
}

/** The row under a key that came from outside, or undefined. */
export function rowOf<Row>(rows: Table<Row>, key: string): Row | undefined {
  return rows[key]
}

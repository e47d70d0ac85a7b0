export type Members = Readonly<Record<string, unknown>>

export function isRecord(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A text member; undefined if it is not a text. */
export function textIn(members: Members, name: string): string | undefined {
  const value = members[name]
  return typeof value === 'string' ? value : undefined
}

/** A member that is a list of texts; undefined if it is not. */
export function textsIn(members: Members, name: string): readonly string[] | undefined {
  const value = members[name]
  return Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : undefined
}

/**
 * The ids under `uuids`: texts, or lists of one text each as upstream's verifier has them. Undefined when it is neither.
 */
export function idsIn(members: Members): readonly string[] | undefined {
  const { uuids } = members
  if (!Array.isArray(uuids)) return undefined
  const ids = uuids.map((one) => (Array.isArray(one) && one.length === 1 ? one[0] : one))
  return ids.every((one) => typeof one === 'string') ? ids : undefined
}

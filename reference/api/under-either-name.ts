import { ApiError } from '../errors.ts'

/** Which of two names a member was given under; the other where it was given under neither. */
export function nameGiven<Name extends string>(
  body: { readonly [Key in Name]?: string | null },
  one: Name,
  other: Name,
): Name {
  return body[one] ? one : other
}

/**
 * A member that goes by two names: the document's, and the one in use. Empty text counts as none; two
 * that say different things are refused, as choosing one would ignore what the other asks for.
 */
export function underEitherName<Name extends string>(
  body: { readonly [Key in Name]?: string | null },
  one: Name,
  other: Name,
): string | undefined {
  const first = body[one] || undefined
  const second = body[other] || undefined
  if (first === undefined || second === undefined || first === second) return first ?? second
  throw new ApiError('malformed_request', `${other}: differs from ${one}`, {
    pointer: `/${other}`,
  })
}

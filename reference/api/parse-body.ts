import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { ApiError, type ErrorCode } from '../errors.ts'

export type Parse<T> = (body: unknown) => T

/**
 * A parser for one request body: the value with its static type, or an `ApiError` that points at the
 * first member which is wrong. Shapes are compiled once, at start.
 */
export function bodyParser<Shape extends TSchema>(
  shape: Shape,
  code: ErrorCode,
): Parse<Static<Shape>> {
  const validator = Compile(shape)
  return (body) => {
    if (validator.Check(body)) return body as Static<Shape>
    const [first] = validator.Errors(body)
    const pointer = first?.instancePath ?? ''
    const where = pointer === '' ? 'request body' : pointer
    throw new ApiError(code, `${where}: ${first?.message ?? 'does not have the required shape'}`, {
      pointer,
    })
  }
}

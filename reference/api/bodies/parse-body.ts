import type { Static, TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { ApiError, type ErrorCode } from '../../errors.ts'

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
    const { pointer, problem } = describe(first)
    throw new ApiError(code, `${pointer === '' ? 'request body' : pointer}: ${problem}`, {
      pointer,
    })
  }
}

type ShapeError = ReturnType<Validator['Errors']>[number]

/** The pointer names a missing member itself; the text names an expected constant. No member fits the schema `false`. */
function describe(error: ShapeError | undefined): { pointer: string; problem: string } {
  if (error === undefined) return { pointer: '', problem: 'does not have the required shape' }
  const { instancePath, keyword, params, message } = error
  if (keyword === 'required') {
    return { pointer: `${instancePath}/${params.requiredProperties[0]}`, problem: 'is missing' }
  }
  if (keyword === 'const') {
    return { pointer: instancePath, problem: `must be ${JSON.stringify(params.allowedValue)}` }
  }
  if (keyword === 'boolean')
    return { pointer: instancePath, problem: 'is no member of this request' }
  return { pointer: instancePath, problem: message }
}

/** Reads a part of a body: its refusals point from the body's root. */
export function within<T>(pointer: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new ApiError(error.code, error.message, { pointer: pointer + (error.pointer ?? '') })
  }
}

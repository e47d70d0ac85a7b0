import { ApiError } from '../errors.ts'
import type { Handler } from './call.ts'
import { versionOf } from './call.ts'
import { type ApiVersion, isWithin, type VersionRange } from './versions.ts'

/** Another name of a request member, in some versions. */
export interface OlderName extends Partial<VersionRange> {
  readonly older: string
  readonly name: string
  /** Converts the value under the older name to that under the other. */
  readonly read?: (value: unknown) => unknown
  /** Whether both names say one thing, where both are given; equal texts do without it. */
  readonly isSame?: (older: unknown, current: unknown) => boolean
}

/**
 * The operation behind the names of other versions. One rule holds for every request: a member is read
 * in every version, as it can mean nothing else, and an agent is never evaluated against less than was
 * asked; under an older name it is read in the versions that had that name; both names have to say one thing
 * (ambiguities LEG20, CLOUDIP and METADATA). A refusal points at the name that was sent.
 */
export function underOlderNames(names: readonly OlderName[], handler: Handler): Handler {
  return async (call) => {
    const used = usedNames(names, call.body, versionOf(call))
    const body = used.length === 0 ? call.body : withNames(used, call.body)
    try {
      return await handler({ ...call, body })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      throw used.reduce(asSent, error)
    }
  }
}

function usedNames(
  names: readonly OlderName[],
  body: unknown,
  version: ApiVersion,
): readonly OlderName[] {
  const present = names.filter(
    (name) => isWithin(version, name) && isGiven(member(body, name.older)),
  )
  for (const one of present) refuseContradiction(one, body)
  return present.filter(({ name }) => !isGiven(member(body, name)))
}

function refuseContradiction({ older, name, isSame = isSameText }: OlderName, body: unknown): void {
  const current = member(body, name)
  if (!isGiven(current) || isSame(member(body, older), current)) return
  const detail = `${older}: differs from ${name}`
  throw new ApiError('malformed_request', detail, { pointer: `/${older}` })
}

/** By spreading, as that keeps a member called `__proto__` a member. */
function withNames(used: readonly OlderName[], body: unknown): object {
  const members = used.map((one) => [one.name, readOlder(one, body)])
  return { ...Object(body), ...Object.fromEntries(members) }
}

function readOlder({ older, read }: OlderName, body: unknown): unknown {
  const value = member(body, older)
  return read === undefined ? value : read(value)
}

function member(body: unknown, name: string): unknown {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
  return isObject && Object.hasOwn(body, name) ? (body as Record<string, unknown>)[name] : undefined
}

/** Null and an empty text are how a member is left out. */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}

/** A port is a number or a text (ambiguity PORT). */
function isSameText(one: unknown, other: unknown): boolean {
  return plain(one) === plain(other)
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function asSent(error: ApiError, { older, name }: OlderName): ApiError {
  const { pointer, code, message } = error
  if (pointer !== `/${name}` && !pointer?.startsWith(`/${name}/`)) return error
  const detail = message.replace(new RegExp(`^(/?)${name}(?=[:/.[ ])`), `$1${older}`)
  return new ApiError(code, detail, {
    pointer: `/${older}${pointer.slice(name.length + 1)}`,
    cause: error.cause,
  })
}

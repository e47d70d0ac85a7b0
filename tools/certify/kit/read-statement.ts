import { KitError } from './open-envelope.ts'
import type { Statement } from './statement.ts'

/** A statement whose members have their types; what they say is compared later. Throws {@link KitError}. */
export function readStatement(value: unknown): Statement {
  const { subject, predicate } = membersOf(value, 'the statement')
  const subjects = listOf(subject, 'subject')
  if (subjects.length === 0) throw new KitError('the statement has no subject')
  for (const [at, one] of subjects.entries()) checkSubject(one, `subject[${at}]`)
  const { configuration } = membersOf(predicate, 'predicate')
  for (const [at, one] of listOf(configuration, 'configuration').entries())
    membersOf(one, `configuration[${at}]`)
  return value as Statement
}

function checkSubject(value: unknown, place: string): void {
  const { name, digest } = membersOf(value, place)
  if (typeof name !== 'string' || name === '') throw new KitError(`${place} has no name`)
  const { sha256 } = membersOf(digest, `${place}.digest`)
  if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256))
    throw new KitError(`${place} has no SHA-256`)
}

function membersOf(value: unknown, place: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new KitError(`${place} of the signed payload is no object`)
  return { ...value }
}

function listOf(value: unknown, place: string): readonly unknown[] {
  if (Array.isArray(value)) return value
  throw new KitError(`${place} of the signed payload is no list`)
}

/** The place of the first difference of two JSON values; undefined if they are equal. */
export function firstDifference(one: unknown, other: unknown, place = ''): string | undefined {
  if (!isComposite(one) || !isComposite(other) || Array.isArray(one) !== Array.isArray(other))
    return one === other ? undefined : place || '/'
  const [left, right] = [{ ...one }, { ...other }] as Readonly<Record<string, unknown>>[]
  const names = new Set([...Object.keys(left ?? {}), ...Object.keys(right ?? {})])
  for (const name of names) {
    const found = firstDifference(left?.[name], right?.[name], `${place}/${name}`)
    if (found !== undefined) return found
  }
  return undefined
}

function isComposite(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

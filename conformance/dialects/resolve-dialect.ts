import { nearest } from '../input/nearest.ts'
import { DIALECT_KEYS, DIALECT_NAMES, DIALECTS, type Dialect, type DialectKey } from './dialect.ts'

/** A dialect as a target file configures it: a shipped dialect and replaced values. */
interface DialectChoice {
  readonly base: string
  readonly values: Readonly<Record<string, string>>
}

/** The dialect, or one sentence that names the unknown word and the key of `values` it belongs to. */
type DialectResolution =
  | { readonly dialect: Dialect }
  | { readonly problem: string; readonly key?: string }

/** Resolves a choice. An unknown word is a problem whose text suggests the nearest known word. */
export function resolveDialect({ base, values }: DialectChoice): DialectResolution {
  const start = DIALECT_NAMES.find((name) => name === base)
  if (start === undefined) {
    return { problem: `there is no dialect ${quoted(base)}; ${suggest(base, DIALECT_NAMES)}` }
  }
  for (const [key, value] of Object.entries(values)) {
    const problem = problemOf(key, value)
    if (problem !== undefined) return { problem, key }
  }
  return { dialect: { ...DIALECTS[start], ...values } as Dialect }
}

function problemOf(key: string, value: string): string | undefined {
  if (!isDialectKey(key)) {
    return `a dialect has no key ${quoted(key)}; ${suggest(key, Object.keys(DIALECT_KEYS))}`
  }
  const known: readonly string[] = DIALECT_KEYS[key].values
  if (known.includes(value)) return undefined
  return `${key} of a dialect cannot be ${quoted(value)}; ${suggest(value, known)}`
}

function isDialectKey(key: string): key is DialectKey {
  return Object.hasOwn(DIALECT_KEYS, key)
}

function suggest(word: string, known: readonly string[]): string {
  const near = nearest(word, known)
  return near === undefined ? `known are ${known.join(', ')}` : `did you mean ${near}?`
}

function quoted(text: string): string {
  return JSON.stringify(text)
}

import { ADMINISTRATION_KEYS } from './administration-dialect-keys.ts'
import { BOOTSTRAP_KEYS } from './bootstrap-dialect-keys.ts'
import type { DialectKeyRow } from './dialect-key.ts'
import { PUSH_KEYS } from './push-dialect-keys.ts'
import { REGISTRATION_KEYS } from './registration-dialect-keys.ts'

/**
 * Every choice of encoding that a client has to make. The choices affect syntax only: what is proven and
 * what must be refused is the same in every dialect.
 */
export const DIALECT_KEYS = {
  ...PUSH_KEYS,
  ...BOOTSTRAP_KEYS,
  ...ADMINISTRATION_KEYS,
  ...REGISTRATION_KEYS,
} as const satisfies Readonly<Record<string, DialectKeyRow>>

type Keys = typeof DIALECT_KEYS
export type DialectKey = keyof Keys

/** One value for each key. */
export type Dialect = { readonly [Key in DialectKey]: Keys[Key]['values'][number] }

export const DIALECT_NAMES = ['document', 'keylime'] as const
type DialectName = (typeof DIALECT_NAMES)[number]

/** The shipped dialects; every other dialect is one of these with some values replaced. */
export const DIALECTS: Readonly<Record<DialectName, Dialect>> = {
  document: columnOf('document'),
  keylime: columnOf('keylime'),
}

function columnOf(name: DialectName): Dialect {
  const rows = Object.entries(DIALECT_KEYS).map(([key, row]) => [key, row[name]])
  return Object.fromEntries(rows) as Dialect
}

import { expect, test } from 'vitest'
import { DIALECT_KEYS, DIALECTS } from './dialect.ts'
import { resolveDialect } from './resolve-dialect.ts'

test('a name without values is the shipped dialect', () => {
  expect(resolveDialect({ base: 'keylime', values: {} })).toEqual({ dialect: DIALECTS.keylime })
})

test('a value replaces only its own key of the base dialect', () => {
  const values = { 'port-type': 'integer' }
  expect(resolveDialect({ base: 'document', values })).toEqual({
    dialect: { ...DIALECTS.document, 'port-type': 'integer' },
  })
})

test.each(Object.entries(DIALECT_KEYS))(
  '%s has a listed value in both dialects, and no duplicates',
  (_key, { values, document, keylime }) => {
    expect(values).toContain(document)
    expect(values).toContain(keylime)
    expect(new Set(values).size).toBe(values.length)
  },
)

test('the two dialects differ', () => {
  expect(DIALECTS.keylime).not.toEqual(DIALECTS.document)
})

test('an unknown dialect is reported with the nearest known one', () => {
  expect(resolveDialect({ base: 'keylme', values: {} })).toEqual({
    problem: 'there is no dialect "keylme"; did you mean keylime?',
  })
})

test('an unknown key is reported with the nearest known one', () => {
  expect(resolveDialect({ base: 'document', values: { 'subject-date': 'blob' } })).toEqual({
    problem: 'a dialect has no key "subject-date"; did you mean subject-data?',
    key: 'subject-date',
  })
})

test('a member of Object.prototype is an unknown key', () => {
  expect(resolveDialect({ base: 'document', values: { constructor: 'blob' } })).toMatchObject({
    problem: expect.stringContaining('a dialect has no key "constructor"'),
  })
})

test('an unknown value is reported with the accepted values', () => {
  expect(resolveDialect({ base: 'document', values: { 'port-type': 'float' } })).toEqual({
    problem: 'port-type of a dialect cannot be "float"; known are string, integer',
    key: 'port-type',
  })
})

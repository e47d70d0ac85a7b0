import { expect, test } from 'vitest'
import { DIALECTS } from '../dialects/dialect.ts'
import { chooseDialect } from './choose-dialect.ts'

const placeOf = (key?: string) => `target.yaml:${key ?? 'dialect'}`

test('the dialect that is asked for is chosen', () => {
  expect(chooseDialect({ base: 'keylime', values: {}, placeOf })).toEqual(DIALECTS.keylime)
})

test('an unknown dialect is told at its place', () => {
  expect(() => chooseDialect({ base: 'keylme', values: {}, placeOf })).toThrow(
    'target.yaml:dialect: there is no dialect "keylme"',
  )
})

test('an unknown value is told at the place of its key', () => {
  const values = { 'port-type': 'float' }
  expect(() => chooseDialect({ base: 'document', values, placeOf })).toThrow(
    'target.yaml:port-type: port-type of a dialect cannot be "float"',
  )
})

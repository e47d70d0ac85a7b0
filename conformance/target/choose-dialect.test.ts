import { expect, test } from 'vitest'
import { DIALECTS } from '../dialects/dialect.ts'
import { chooseDialect } from './choose-dialect.ts'

const placeOf = (key?: string) => `target.yaml:${key ?? 'dialect'}`

test('the dialect that the target file names is chosen', () => {
  expect(chooseDialect({ base: 'keylime', values: {}, placeOf })).toEqual(DIALECTS.keylime)
})

test('the error for an unknown dialect has its position', () => {
  expect(() => chooseDialect({ base: 'keylme', values: {}, placeOf })).toThrow(
    'target.yaml:dialect: there is no dialect "keylme"',
  )
})

test('the error for an unknown value has the position of its key', () => {
  const values = { 'port-type': 'float' }
  expect(() => chooseDialect({ base: 'document', values, placeOf })).toThrow(
    'target.yaml:port-type: port-type of a dialect cannot be "float"',
  )
})

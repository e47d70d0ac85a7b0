import { expect, test } from 'vitest'
import { explicitNames, genericNames, withAnyLength } from './any-length.ts'

test.each(['1.0', '2.4'] as const)('in %s a generic name stands for every length', (version) => {
  const names = withAnyLength(['ecc', 'rsa3072', 'other'], version)
  expect(genericNames(names)).toEqual(['ecc', 'rsa3072', 'other'])
  expect(explicitNames(names)).toEqual([
    ...['ecc192', 'ecc224', 'ecc256', 'ecc384', 'ecc521', 'ecc_sm2'],
    ...['rsa3072', 'other'],
  ])
})

test('since 2.5 names are what they say', () => {
  const names = withAnyLength(['ecc', 'rsa', 'ecc384'], '2.5')
  expect([genericNames(names), explicitNames(names)]).toEqual([
    ['ecc', 'rsa', 'ecc384'],
    ['ecc', 'rsa', 'ecc384'],
  ])
})

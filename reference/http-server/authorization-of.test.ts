import { expect, test } from 'vitest'
import { authorizationOf } from './authorization-of.ts'

test.each<[string, readonly string[], string | undefined]>([
  ['no header', ['host', 'a'], undefined],
  ['an empty header is there', ['Authorization', ''], ''],
  ['its name is read in any case', ['AUTHORIZATION', 'Bearer a'], 'Bearer a'],
  [
    'two are no credential',
    ['authorization', 'Bearer a', 'Authorization', 'Bearer b'],
    'Bearer a, Bearer b',
  ],
  [
    'an empty one and another are none either',
    ['authorization', '', 'authorization', 'Bearer a'],
    ', Bearer a',
  ],
  ['a value that says authorization is no name', ['x', 'authorization', 'y', 'z'], undefined],
])('%s', (_, rawHeaders, value) => {
  expect(authorizationOf({ rawHeaders: [...rawHeaders] })).toBe(value)
})

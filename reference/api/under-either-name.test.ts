import { expect, test } from 'vitest'
import { underEitherName } from './under-either-name.ts'

test.each([
  ['one name', { mb_list: 'a' }],
  ['the other name', { mb_log: 'a' }],
  ['both names alike', { mb_list: 'a', mb_log: 'a' }],
  ['an empty text under the first name', { mb_list: '', mb_log: 'a' }],
  ['null under the first name', { mb_list: null, mb_log: 'a' }],
])('a member under %s is read', (_what, body) => {
  expect(underEitherName(body, 'mb_list', 'mb_log')).toBe('a')
})

test('a member under neither name is none', () => {
  expect(underEitherName({ mb_log: null }, 'mb_list', 'mb_log')).toBeUndefined()
})

test('two names that say different things are refused', () => {
  expect(() => underEitherName({ mb_list: 'a', mb_log: 'b' }, 'mb_list', 'mb_log')).toThrow(
    expect.objectContaining({ code: 'malformed_request', pointer: '/mb_log' }),
  )
})

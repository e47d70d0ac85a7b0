import { expect, test } from 'vitest'
import { parseBootPolicy } from './parse-boot-policy.ts'

const POLICY = '{"has_secureboot":false}'

test.each([
  ["the document's name", { mb_refstate: POLICY }],
  ["upstream's name", { mb_policy: POLICY, mb_policy_name: '' }],
  ['both names', { mb_refstate: POLICY, mb_policy: POLICY }],
  ['one name beside an empty other', { mb_refstate: '', mb_policy: POLICY }],
])('a boot policy under %s is read', (_what, request) => {
  expect(parseBootPolicy(request)).toBe(POLICY)
})

test('no boot policy is none', () => {
  expect(parseBootPolicy({ mb_policy: null, mb_policy_name: '' })).toBeNull()
})

test('two boot policies are refused', () => {
  expect(() => parseBootPolicy({ mb_refstate: POLICY, mb_policy: '{"other":1}' })).toThrow(
    'mb_policy: says something else than mb_refstate',
  )
})

test('the name of a boot policy that is not there is refused', () => {
  expect(() => parseBootPolicy({ mb_policy_name: 'strict' })).toThrow(
    expect.objectContaining({ code: 'not_found' }),
  )
})

import { expect, test } from 'vitest'
import { parseBootPolicy } from './parse-boot-policy.ts'

const POLICY = '{"has_secureboot":false}'

test.each([
  ["the document's name", { mb_refstate: POLICY }],
  ["upstream's name", { mb_policy: POLICY, mb_policy_name: '' }],
  ['both names', { mb_refstate: POLICY, mb_policy: POLICY }],
  ['one name and an empty other', { mb_refstate: '', mb_policy: POLICY }],
])('a boot policy under %s is kept under the id of the agent', (_what, request) => {
  const upload = { name: 'agent', mb_policy: POLICY }
  expect(parseBootPolicy('agent', request)).toEqual({ name: 'agent', upload })
})

test.each([
  ['no text', { mb_policy: null, mb_policy_name: '' }],
  ['an empty text', { mb_refstate: '' }],
  ['an empty object', { mb_refstate: ' { } ' }],
  ['null', { mb_refstate: 'null' }],
])('%s without a name is no boot policy', (_what, request) => {
  expect(parseBootPolicy('agent', request)).toEqual({ name: null, upload: undefined })
})

test('a name alone links a boot policy that is there', () => {
  const request = { mb_policy: '', mb_policy_name: 'strict' }
  expect(parseBootPolicy('agent', request)).toEqual({ name: 'strict', upload: undefined })
})

test.each([POLICY, '{}'])('%s with a name is kept under that name', (mb_policy) => {
  const request = { mb_policy, mb_policy_name: 'strict' }
  expect(parseBootPolicy('agent', request)).toEqual({
    name: 'strict',
    upload: { name: 'strict', mb_policy },
  })
})

test.each([
  ['two texts', { mb_refstate: POLICY, mb_policy: '{"has_secureboot":true}' }, '/mb_policy'],
  ['a kernel without digest', { mb_policy: '{"kernels":[{}]}' }, '/mb_policy'],
  ['a list', { mb_refstate: '[]' }, '/mb_refstate'],
  ['a name with a slash', { mb_policy_name: 'a/b' }, '/mb_policy_name'],
])('%s is refused', (_what, request, pointer) => {
  expect(() => parseBootPolicy('agent', request)).toThrow(
    expect.objectContaining({ code: 'malformed_request', pointer }),
  )
})

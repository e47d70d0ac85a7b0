import { expect, test } from 'vitest'
import { refusalOf } from '../dev/testing/refusal-of.ts'
import { checkRequiredMembers } from './required-members.ts'
import type { ApiVersion } from './versions.ts'

const MEMBERS = [{ name: 'key', since: '2.1', until: '2.5' }] as const
const check = (body: object, version: ApiVersion) => () =>
  checkRequiredMembers(MEMBERS, body, version)

test.each([{}, { key: '' }, { key: null }])('%o lacks what its version requires', async (body) => {
  for (const version of ['2.1', '2.5'] as const)
    expect(await refusalOf(check(body, version))).toMatchObject({
      status: 400,
      message: '/key: is missing',
      pointer: '/key',
    })
})

test.each(['1.0', '2.0', '3.0'] as const)('%s does not require it', (version) => {
  expect(check({}, version)).not.toThrow()
})

test('what is there is not missing', () => {
  expect(check({ key: 'a' }, '2.5')).not.toThrow()
})

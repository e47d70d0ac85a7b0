import { expect, test } from 'vitest'
import { pcrsOfMask } from './tenant-policies.ts'

test.each([
  ['a mask', '{"mask":"0x401"}', [0, 10]],
  ['no mask', '{}', []],
  ['no JSON', 'mask 0x401', []],
])('a policy with %s names PCRs', (_, policy, pcrs) => {
  expect(pcrsOfMask(policy)).toEqual(pcrs)
})

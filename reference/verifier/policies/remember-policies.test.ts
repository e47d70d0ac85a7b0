import { expect, test } from 'vitest'
import { runtimePolicy } from '../../dev/testing/runtime-policy.ts'
import { parseRuntimePolicy } from '../../evidence/ima/policy/runtime-policy.ts'
import { rememberPolicies } from './remember-policies.ts'

function counted(capacity?: number) {
  const asked: string[] = []
  const read = rememberPolicies((text) => {
    asked.push(text)
    return parseRuntimePolicy(text)
  }, capacity)
  return { asked, read }
}

const ONE = policyText('/bin/one')
const TWO = policyText('/bin/two')
const SIX = policyText('/bin/six')

function policyText(path: string): string {
  return runtimePolicy({ [path]: ['ab'.repeat(32)] })
}

test('the same text is read once and gives the same policy', () => {
  const { asked, read } = counted()
  expect(read(ONE)).toBe(read(ONE))
  expect(asked).toEqual([ONE])
})

test('another text is another policy', () => {
  const { read } = counted()
  expect(read(TWO).digests.has('/bin/two')).toBe(true)
  expect(read(ONE).digests.has('/bin/two')).toBe(false)
})

test('the most recently used policies stay when the cache is full', () => {
  const { asked, read } = counted(ONE.length * 2)
  for (const text of [ONE, TWO, ONE, SIX, ONE, TWO]) read(text)
  expect(asked).toEqual([ONE, TWO, SIX, TWO])
})

test('a text that cannot be read is refused each time', () => {
  const { read } = counted()
  for (const _ of [1, 2]) expect(() => read('{')).toThrow('runtime_policy')
})

test('a policy larger than the cache is parsed, and not kept', () => {
  const { asked, read } = counted(10)
  read(ONE)
  read(ONE)
  expect(asked).toEqual([ONE, ONE])
})

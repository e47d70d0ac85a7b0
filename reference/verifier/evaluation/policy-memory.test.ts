import { expect, test } from 'vitest'
import type { RuntimePolicy } from '../../evidence/ima/policy/runtime-policy.ts'
import { policyMemory } from './policy-memory.ts'

function memory(capacity: number) {
  const read: string[] = []
  const policies = policyMemory((text) => {
    read.push(text)
    return {} as RuntimePolicy
  }, capacity)
  const learn = (text: string) => policies.learn(text, new TextEncoder().encode(text))
  return { ...policies, learn, read }
}

test('a policy is read once, and is the same object again', () => {
  const { learn, find, read } = memory(10)
  const policy = learn('aaa')
  expect(find('aaa')).toBe(policy)
  expect(read).toEqual(['aaa'])
})

test('the least recently used policies are evicted first, by bytes, and each is reported once', () => {
  const { learn, find, forgotten } = memory(6)
  learn('aaa')
  learn('bbb')
  find('aaa')
  learn('ccc')
  expect([find('aaa'), find('bbb')]).toEqual([expect.anything(), undefined])
  expect(forgotten()).toEqual(['bbb'])
  expect(forgotten()).toEqual([])
})

test('a policy larger than the cache is used and not kept', () => {
  const { learn, find, forgotten } = memory(2)
  expect(learn('aaa')).toBeDefined()
  expect(find('aaa')).toBeUndefined()
  expect(forgotten()).toEqual(['aaa'])
})

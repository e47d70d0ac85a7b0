import { expect, test } from 'vitest'
import { parseImaList } from '../ima/list.ts'
import { imaSigEntry, violationEntry } from '../ima/make-entry.ts'
import { toHex } from '../tpm/write.ts'
import { fixture } from '../vectors/fixtures.ts'
import { runtimePolicyOf } from './boot-facts.ts'

const RECORDED = parseImaList(fixture('binary_before_tools'))

test('every file of the recorded boot is in its policy, with its digest', () => {
  const { digests } = runtimePolicyOf(RECORDED)
  expect(digests['/mnt/run.sh']).toEqual([
    '0ddd499f357a73bde4a73041ca3adcaabe70c51a72c0c9fcda48fccc1555bc8c',
  ])
  expect(Object.keys(digests)).toContain('/mnt/data/new\nline.sh')
  expect(Object.values(digests).flat()).not.toContain('0'.repeat(64))
})

test('buffers are in a separate member', () => {
  const policy = runtimePolicyOf(RECORDED)
  expect(Object.keys(policy['ima-buf'])).toEqual(['kernel_version'])
  expect(policy.digests).not.toHaveProperty('kernel_version')
})

test('a file measured with two contents has both digests, each once', () => {
  const [one, two] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)]
  const entries = [one, two, one].map((content) => imaSigEntry('/a', content))
  expect(runtimePolicyOf(entries).digests).toEqual({ '/a': [one, two].map(toHex) })
})

test('a file with violations only is not in the policy', () => {
  expect(runtimePolicyOf([violationEntry('/a')]).digests).toEqual({})
})

test('a file may be called __proto__', () => {
  const { digests } = runtimePolicyOf([imaSigEntry('__proto__', new Uint8Array(32))])
  expect(JSON.stringify(digests)).toBe(`{"__proto__":["${'0'.repeat(64)}"]}`)
})

import { expect, test } from 'vitest'
import { refusalOf } from '../dev/testing/refusal-of.ts'
import { checkAgentId } from './agent-id.ts'

test.each([
  'd432fbb3-d2f1-4a97-9ef7-75bd81c00000',
  'D432FBB3-D2F1-4A97-9EF7-75BD81C00000',
  'ab'.repeat(32),
  'a',
  'x'.repeat(80),
  'host_1.example',
])('%s is an agent id', (id) => {
  expect(checkAgentId(id)).toBe(id)
})

test.each([
  ['nothing', ''],
  ['81 characters', 'x'.repeat(81)],
  ['a newline at the end', 'agent\n'],
  ['a forged log line', 'agent\n2026-01-01 WARNING'],
  ['a NUL', 'agent\0'],
  ['a slash', 'a/b'],
  ['a parent directory', '..'],
  ['a blank', 'a b'],
  ['a percent sign', 'a%0A'],
  ['an emoji', 'agent😀'],
  ['a letter outside ASCII', 'agént'],
  ['a right-to-left mark', 'agent\u200f'],
  ['braces', '{d432fbb3}'],
  ['a prototype name', '__proto__'],
])('%s is not an agent id, and is not repeated', async (_, id) => {
  const refusal = await refusalOf(() => checkAgentId(id))
  expect(refusal).toMatchObject({ code: 'malformed_request', status: 400, pointer: '/agent_id' })
  if (id !== '') expect(refusal.message).not.toContain(id)
})

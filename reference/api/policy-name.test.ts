import { expect, test } from 'vitest'
import { refusalOf } from '../dev/testing/refusal-of.ts'
import { checkPolicyName } from './policy-name.ts'

test.each(['server', 'Fedora 41 (x86_64)', 'política', '__proto__', 'x'.repeat(255)])(
  '%s is a policy name',
  (name) => {
    expect(checkPolicyName(name)).toBe(name)
  },
)

test.each([
  ['nothing', ''],
  ['256 characters', 'x'.repeat(256)],
  ['a newline', 'a\nb'],
  ['a NUL', 'a\0'],
  ['an escape sequence', '\u001b[31m'],
  ['a slash', 'a/b'],
  ['a backslash', 'a\\b'],
  ['a right-to-left override', 'a\u202eb'],
  ['a line separator', 'a\u2028b'],
  ['half a character', 'a\ud800'],
])('%s is not a policy name, and is not repeated', async (_, name) => {
  const refusal = await refusalOf(() => checkPolicyName(name, '/runtime_policy_name'))
  expect(refusal).toMatchObject({ status: 400, pointer: '/runtime_policy_name' })
  if (name !== '') expect(refusal.message).not.toContain(name)
})

import { expect, test } from 'vitest'
import { runAssay } from '../../conformance/selftest/command.ts'

test('the reference agrees with every vector', { timeout: 120_000 }, async () => {
  const { code, stdout, stderr } = await runAssay(['vectors'])
  expect(stderr).toBe('')
  expect(stdout).toMatch(/│ all +│ +\d{3,} │ +\d{3,} │ +0 │ +0 │/)
  expect(code).toBe(0)
})

test.each([
  [['vectors', '--group', 'quotes'], /there is no group "quotes"; groups are quote-string, attest/],
  [['vectors', '--adapter', '/nowhere/at-all', '--group', 'signature'], /\/nowhere\/at-all/],
])('%j ends with one sentence and exit code 2', async (argv, sentence) => {
  const { code, stderr } = await runAssay(argv)
  expect(stderr).toMatch(sentence)
  expect(code).toBe(2)
})

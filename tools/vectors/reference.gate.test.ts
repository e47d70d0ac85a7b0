import { expect, test } from 'vitest'
import { runAssay } from '../../conformance/selftest/command.ts'
import { vectorGroups } from './corpus.ts'
import { runVectors } from './run-vectors.ts'
import type { Policy, Vector } from './vector.ts'

test('the reference agrees with every vector, twice', async () => {
  const { code, stdout, stderr } = await runAssay(['vectors', 'run', '--rounds', '2'])
  expect(stderr).toBe('')
  expect(stdout).toMatch(/│ all +│ +1\d{3} │ +1\d{3} │ +0 │ +0 │/)
  expect(code).toBe(0)
})

function without(policy: Policy, { body, ...vector }: Vector): Vector {
  const { [policy]: _, ...rest } = body
  return { ...vector, expected: 'valid', body: rest }
}

test('evidence that a policy rejects is valid without it', async () => {
  const groups = vectorGroups().map((group) => ({
    ...group,
    vectors: group.vectors.flatMap((one) => (one.policy ? [without(one.policy, one)] : [])),
  }))
  const reference = `${process.execPath} bin/assay.js verify-evidence --batch`
  const results = await runVectors(reference, groups)
  expect(results.length).toBeGreaterThan(200)
  expect(results.filter(({ answered }) => answered !== 'valid')).toEqual([])
})

test.each([
  [['sing'], /assay vectors has no verb "sing"/],
  [['run', '--group', 'quote'], /there is no group "quote"; groups are quote-string, attest/],
  [['run', '--adapter', '/nowhere/at-all', '--group', 'signature'], /\/nowhere\/at-all/],
  [['run', '--rounds', '0'], /it takes a whole number from 1 to 1000/],
  [
    ['compare', '/nowhere/a.json', '/nowhere/b.json'],
    /\/nowhere\/a\.json cannot be read \(ENOENT\)/,
  ],
])('assay vectors %j ends with one sentence and exit code 2', async (argv, sentence) => {
  const { code, stderr } = await runAssay(['vectors', ...argv])
  expect(stderr).toMatch(sentence)
  expect(code).toBe(2)
})

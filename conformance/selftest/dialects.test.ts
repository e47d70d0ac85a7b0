import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { freshOut, readResult, runAssay } from './command.ts'

/** Targets of the same deployment, each spoken to in another dialect, and the family that the dialect has no words for. */
const TARGETS: readonly (readonly [string, string | undefined])[] = [
  ['reference/assay.target.yaml', undefined],
  ['reference/keylime-dialect.target.yaml', 'adversarial.subject-data.'],
]

test.each(TARGETS)('the reference conforms by %s', { timeout: 300_000 }, async (target, unsaid) => {
  const out = freshOut()
  const { code, stderr } = await runAssay(['run', '--target', target, '--out', out])
  expect(stderr).toBe('')
  expect(code).toBe(0)
  const { matrices, scenarios } = readResult(out)
  expect(matrices.map(({ name }) => name)).toEqual(expect.arrayContaining(['fields', 'routes']))
  for (const { defined, executed, red } of matrices) {
    expect(executed).toBe(defined)
    expect(red).toEqual([])
  }
  const others = scenarios.filter(({ outcome }) => !['pass', 'observed'].includes(outcome))
  const expected = scenarios.filter(({ id }) => unsaid !== undefined && id.startsWith(unsaid))
  expect(others.map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
  expect(others.every(({ outcome }) => outcome === 'not-applicable')).toBe(true)
  rmSync(out, { recursive: true, force: true })
})

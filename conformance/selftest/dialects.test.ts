import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { freshOut, readResult, runAssay } from './command.ts'

/** Targets of the same deployment, each spoken to in another dialect. */
const TARGETS = ['reference/assay.target.yaml', 'reference/keylime-dialect.target.yaml']

test.each(TARGETS)('the reference conforms by %s', { timeout: 120_000 }, async (target) => {
  const out = freshOut()
  const { code, stderr } = await runAssay(['run', '--target', target, '--out', out])
  expect(stderr).toBe('')
  expect(code).toBe(0)
  const { scenarios } = readResult(out)
  expect(scenarios.filter(({ outcome }) => outcome !== 'pass').map(({ id }) => id)).toEqual([])
  rmSync(out, { recursive: true, force: true })
})

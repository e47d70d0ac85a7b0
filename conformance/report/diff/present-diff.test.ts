import picocolors from 'picocolors'
import { expect, test } from 'vitest'
import type { RunResult } from '../result.ts'
import { sampleResult } from '../testing/sample-result.ts'
import { HOSTILE } from '../testing/sample-scenarios.ts'
import { visible } from '../visible.ts'
import { diffResults } from './diff.ts'
import { presentDiff } from './present-diff.ts'

const PLAIN = picocolors.createColors(false)
const run = sampleResult()

/** One scenario fails, one passes again, and Assay is newer. */
const other: RunResult = {
  ...run,
  assay_version: '0.2.0',
  scenarios: run.scenarios.map((one) => {
    if (one.id === 'push.session.silent') return { ...one, outcome: 'pass' }
    if (one.id !== 'push.evidence.accepted') return one
    const checks = one.checks.map((check) =>
      check.what === 'stage' ? { ...check, ok: false, received: HOSTILE } : check,
    )
    return { ...one, outcome: 'fail', checks }
  }),
}

test('without a difference one line shows how much was compared', () => {
  expect(presentDiff(diffResults(run, run), PLAIN)).toBe(
    'no difference in 14 scenarios, 16 checks and 13 requirements',
  )
})

test('worse differences are first, then better, then changed, then the counts', () => {
  const lines = presentDiff(diffResults(run, other), PLAIN).split('\n')
  expect(lines.filter((line) => !line.startsWith('                 '))).toEqual([
    'worse',
    '  scenario     verifier 3.0  push.evidence.accepted  pass → fail',
    '  check        verifier 3.0  push.evidence.accepted  stage  VPUSH-EVIDENCE-ACCEPTED',
    '',
    'better',
    '  scenario     verifier 3.0  push.session.silent  hang → pass',
    '',
    'changed, neither better nor worse',
    '  run          assay version  0.1.0 → 0.2.0',
    '',
    'differences: 2 worse, 1 better, 1 changed',
  ])
})

test('a check shows both values and both results', () => {
  expect(presentDiff(diffResults(run, other), PLAIN)).toContain(
    'before  evaluating_evidence  (held)',
  )
})

test('text of the subject reaches the terminal only escaped', () => {
  const text = presentDiff(diffResults(run, other), PLAIN)
  expect(visible(text)).toBe(text)
  expect(text).toContain('<script>alert(1)</script>')
})

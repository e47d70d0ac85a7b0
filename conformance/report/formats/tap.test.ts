import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { RunResult } from '../result.ts'
import { sampleResult } from '../testing/sample-result.ts'
import { tapOf } from './tap.ts'

interface Point {
  readonly line: string
  readonly diagnostics: unknown
}

const POINT = /^(?:not )?ok (\d+) - /

/** The test points of a text, each with its YAML block. */
const pointsOf = (text: string): readonly Point[] => {
  const lines = text.split('\n')
  return lines.flatMap((line, at) => {
    if (!POINT.test(line)) return []
    const end = lines.indexOf('  ...', at)
    const block = lines[at + 1] === '  ---' ? lines.slice(at + 2, end) : undefined
    return { line, diagnostics: block && parse(block.map((one) => one.slice(2)).join('\n')) }
  })
}

const pointOf = (id: string, result = sampleResult()): Point => {
  const found = pointsOf(tapOf(result)).find(({ line }) => line.includes(` ${id}: `))
  if (found === undefined) throw new Error(`there is no point of ${id}`)
  return found
}

test('the plan counts the points, which are numbered from 1 on', () => {
  const text = tapOf(sampleResult())
  const points = pointsOf(text)
  expect(text.split('\n')[0]).toBe('TAP version 14')
  expect(text.split('\n')[2]).toBe(`1..${points.length}`)
  expect(points.map(({ line }) => Number(POINT.exec(line)?.[1]))).toEqual(
    points.map((_, at) => at + 1),
  )
})

test.each([
  ['push.evidence.accepted', /^ok \d+ - verifier 3\.0 push\.evidence\.accepted: [^#]*$/],
  ['push.evidence.nonce-replayed', /^not ok [^#]*$/],
  ['push.session.silent', /^not ok [^#]*$/],
  ['push.evidence.old-index', /^not ok [^#]*$/],
  ['registrar.agents.port-type', /^ok [^#]*$/],
  ['push.timeout.lockout', /^ok .* # SKIP skipped: its passing twin /],
  ['push.evidence.uefi', /^ok .* # SKIP not applicable: /],
  ['registrar.agents.unknown', /^not ok .* # TODO waived: waived until 2027-01-31: /],
])('%s is one line %s', (id, pattern) => {
  expect(pointOf(id).line).toMatch(pattern)
})

test('a failure has its checks in the YAML block', () => {
  expect(pointOf('push.evidence.nonce-replayed').diagnostics).toMatchObject({
    outcome: 'fail',
    severity: 'fail',
    duration_ms: 684,
    file: 'scenarios/push/evidence/nonce-replayed.ts',
    checks: [
      {
        requirement: 'VPUSH-REASON-BROKEN',
        what: 'failure_reason',
        expected: 'broken_evidence_chain',
        received: 'policy_violation',
      },
    ],
    repeat: expect.stringContaining('--only push.evidence.nonce-replayed'),
  })
})

test('a number sign in a title starts no directive', () => {
  const [first, ...rest] = sampleResult().scenarios
  if (first === undefined) throw new Error('the sample is empty')
  const titled = { ...first, title: 'a # TODO \\ title\nok 9' }
  const { line } = pointOf(first.id, { ...sampleResult(), scenarios: [titled, ...rest] })
  expect(line).toMatch(/: a \\# TODO \\\\ title\\\\nok 9$/)
})

test('a subject cannot add lines', () => {
  const allowed = /^(?:TAP version 14|# |1\.\.\d+$|(?:not )?ok \d+ - | {2}|$)/
  expect(
    tapOf(sampleResult())
      .split('\n')
      .filter((line) => !allowed.test(line)),
  ).toEqual([])
})

test('a red run without a red point has one with the verdict, and a green run has none', () => {
  const [, , , , passed] = sampleResult().scenarios
  if (passed === undefined) throw new Error('the sample has changed')
  const green = sampleResult([passed])
  const red: RunResult = { ...green, verdict: 'no verdict', exit_code: 2 }
  expect(pointsOf(tapOf(green)).filter(({ line }) => line.startsWith('not ok'))).toEqual([])
  expect(pointsOf(tapOf(red)).at(-1)?.line).toMatch(/^not ok 6 - verdict: no verdict$/)
})

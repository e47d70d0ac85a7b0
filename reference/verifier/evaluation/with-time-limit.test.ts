import { expect, test } from 'vitest'
import type { Evaluation, EvidenceCase } from '../../evidence/evaluate.ts'
import { withTimeLimit } from './with-time-limit.ts'

const CASE = {} as EvidenceCase

test('an evaluation within the limit returns its result', () => {
  const evaluation = { verdict: 'pass', findings: [] } as const
  expect(withTimeLimit(() => evaluation, 1000)(CASE)).toBe(evaluation)
})

test('without a limit the evaluation is called as it is', () => {
  const evaluate = () => ({ verdict: 'pass', findings: [] }) as const
  expect(withTimeLimit(evaluate, Number.POSITIVE_INFINITY)).toBe(evaluate)
})

test('an exception is passed on', () => {
  const evaluate = withTimeLimit(() => {
    throw new TypeError('a fault')
  }, 1000)
  expect(() => evaluate(CASE)).toThrow(TypeError)
})

test('a regular expression that would run for years is a failed evaluation', () => {
  const evaluate = withTimeLimit(() => {
    const matches = /^(a+)+$/.test(`${'a'.repeat(60)}!`)
    return { verdict: matches ? 'pass' : 'fail', findings: [] }
  }, 50)
  expect(evaluate(CASE)).toMatchObject({
    verdict: 'fail',
    failureReason: 'broken_evidence_chain',
    severity: { severity_level: 6, last_event_id: 'internal.verifier.timeout' },
    findings: [
      {
        type: 'internal.verifier.timeout',
        context: { message: 'the evidence was not evaluated within 50 ms' },
      },
    ],
  })
})

test('after one that was cut off the next evaluation runs', () => {
  const verdicts = [
    () => {
      for (;;);
    },
    () => ({ verdict: 'pass', findings: [] }) as const,
  ]
  const evaluate = withTimeLimit(
    () => verdicts.shift()?.() ?? { verdict: 'fail', findings: [] },
    50,
    () => undefined,
  )
  expect([evaluate(CASE).verdict, evaluate(CASE).verdict]).toEqual(['fail', 'pass'])
})

test('an evaluation that a busy machine held up begins again with more time', () => {
  let begun = 0
  const evaluate = (): Evaluation => {
    begun += 1
    if (begun === 3) return { verdict: 'pass', findings: [] }
    for (;;);
  }
  const little = [0, 10, 10, 30, 30]
  expect(withTimeLimit(evaluate, 50, () => little.shift())(CASE).verdict).toBe('pass')
  begun = 0
  const enough = [0, 10, 10, 60]
  expect(withTimeLimit(evaluate, 50, () => enough.shift())(CASE).verdict).toBe('fail')
  expect(begun).toBe(2)
})

test('where the CPU time is not known, the clock decides', () => {
  const evaluate = withTimeLimit(
    () => {
      for (;;);
    },
    50,
    () => undefined,
  )
  expect(evaluate(CASE).verdict).toBe('fail')
})

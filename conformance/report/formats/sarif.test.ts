import { expect, test } from 'vitest'
import type { RunResult } from '../result.ts'
import { sampleResult } from '../testing/sample-result.ts'
import { HOSTILE } from '../testing/sample-scenarios.ts'
import { sarifOf } from './sarif.ts'

interface Log {
  readonly version: string
  readonly runs: readonly {
    readonly tool: {
      readonly driver: {
        readonly rules: readonly {
          readonly id: string
          readonly help?: { readonly text: string }
        }[]
      }
    }
    readonly invocations: readonly Readonly<Record<string, unknown>>[]
    readonly results: readonly {
      readonly ruleId: string
      readonly level: string
      readonly message: { readonly text: string }
      readonly locations: readonly unknown[]
      readonly partialFingerprints: Readonly<Record<string, string>>
      readonly suppressions?: readonly { readonly justification: string }[]
    }[]
  }[]
}

const logOf = (result: RunResult) => {
  const log = JSON.parse(sarifOf(result)) as Log
  const [run] = log.runs
  if (run === undefined) throw new Error('the log has no run')
  return { ...run, rules: run.tool.driver.rules }
}

const resultsAt = (result: RunResult, name: string) =>
  logOf(result).results.filter(({ locations }) => JSON.stringify(locations).includes(`"${name}"`))

test('each requirement is a rule with its clause in the help', () => {
  const { rules } = logOf(sampleResult())
  const ids = rules.map(({ id }) => id)
  expect(ids).toEqual(expect.arrayContaining(sampleResult().requirements.map(({ id }) => id)))
  expect(new Set(ids).size).toBe(ids.length)
  expect(rules.find(({ id }) => id === 'VPUSH-REASON-BROKEN')).toMatchObject({
    help: {
      text: expect.stringContaining('Interface document, lines 128, 196: verifier, API 3.0'),
    },
  })
})

test('the help of a rule names what fixes it where the document does not', () => {
  const { requirements, ...result } = sampleResult()
  const fixed = requirements.filter(({ strength }) => strength === 'fixed')
  const other = fixed.map((row) => ({ ...row, fixed_by: 'RFC 9110, 15.6' }))
  const help = logOf({ ...result, requirements: other }).rules[0]?.help
  expect(help?.text).toContain('fixed by RFC 9110, 15.6.')
})

test('the rule of each result exists', () => {
  const { rules, results } = logOf(sampleResult())
  const ids = new Set(rules.map(({ id }) => id))
  expect(results.filter(({ ruleId }) => !ids.has(ruleId))).toEqual([])
})

test('a check that did not hold is an error at the file of its scenario', () => {
  expect(resultsAt(sampleResult(), 'push.evidence.nonce-replayed 3.0')).toMatchObject([
    {
      ruleId: 'VPUSH-REASON-BROKEN',
      level: 'error',
      message: { text: expect.stringContaining('expected to be broken_evidence_chain, and was') },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'scenarios/push/evidence/nonce-replayed.ts' },
          },
        },
      ],
    },
  ])
})

test('a scenario that passed has no result', () => {
  expect(resultsAt(sampleResult(), 'push.evidence.accepted 3.0')).toEqual([])
})

test('a check that is excused is suppressed with its reason, and no other one', () => {
  const { results } = logOf(sampleResult())
  const suppressed = results.filter(({ suppressions }) => suppressions !== undefined)
  expect(suppressed.map(({ ruleId }) => ruleId)).toEqual(['REG-ENVELOPE', 'REG-UNKNOWN-AGENT'])
  expect(suppressed[0]?.suppressions?.[0]?.justification).toContain('waived until 2027-01-31')
})

test.each([
  ['push.session.silent 3.0', 'ASSAY-HANG', 'error'],
  ['push.evidence.old-index 3.0', 'ASSAY-BLOCKED', 'note'],
  ['registrar.agents.port-type 2.5', 'REG-PORT-TYPE', 'warning'],
])('%s is reported as %s, level %s', (name, ruleId, level) => {
  expect(resultsAt(sampleResult(), name)).toMatchObject([{ ruleId, level }])
})

test('fingerprints differ within a run, and are the same in a run with another seed and value', () => {
  const prints = (result: RunResult) =>
    logOf(result).results.map(({ partialFingerprints }) => partialFingerprints['assayCheck/v1'])
  const own = prints(sampleResult())
  expect(new Set(own).size).toBe(own.length)
  const other = sampleResult().scenarios.map((scenario) => ({
    ...scenario,
    checks: scenario.checks.map((one) => (one.ok ? one : { ...one, received: 'other' })),
  }))
  expect(prints({ ...sampleResult(), seed: '1', scenarios: other })).toEqual(own)
})

test('equal checks of one scenario have fingerprints of their own', () => {
  const twice = sampleResult().scenarios.map((one) => ({
    ...one,
    checks: [...one.checks, ...one.checks],
  }))
  const { results } = logOf({ ...sampleResult(), scenarios: twice })
  const prints = results.map(({ partialFingerprints }) => partialFingerprints['assayCheck/v1'])
  expect(new Set(prints).size).toBe(prints.length)
})

test('complaints and faults of the harness are notifications of the invocation', () => {
  expect(logOf(sampleResult()).invocations).toMatchObject([
    {
      executionSuccessful: true,
      exitCode: 1,
      toolExecutionNotifications: [
        { message: { text: expect.stringContaining('no check of this run exercised it') } },
        { message: { text: expect.stringContaining('push.evidence.sha384 3.0: Assay itself') } },
      ],
    },
  ])
})

test('controls that a subject sent are spelled out', () => {
  expect(HOSTILE).toContain('\u001b[31m')
  expect(JSON.stringify(logOf(sampleResult()).results)).not.toContain('\\u001b')
})

test.each(['fail', 'hang', 'blocked'] as const)(
  'a %s that the baseline expects is suppressed',
  (expected) => {
    const [, , , , , , silent] = sampleResult().scenarios
    if (silent === undefined) throw new Error('the sample has changed')
    const reason = 'expected by the baseline: no answer'
    const waived = { ...silent, outcome: 'waived', expected, reason } as const
    const { results } = logOf({ ...sampleResult(), scenarios: [waived] })
    expect(results).toMatchObject([{ suppressions: [{ justification: reason }] }])
  },
)

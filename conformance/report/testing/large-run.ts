/** A large sample run, for tests of compressed markup. */
import type { RunResult, ScenarioResult } from '../result.ts'
import { Transcripts } from '../transcripts/transcripts.ts'
import { sampleResult } from './sample-result.ts'
import { AS_AGENT, exchange, VERIFIER } from './sample-transcript.ts'

interface LargeRun {
  readonly passed: number
  readonly failed: number
  /** Length of the body of each exchange. */
  readonly body: number
  readonly keepsAll?: boolean
}

const scenarioAt = (at: number, outcome: 'pass' | 'fail', kept: boolean): ScenarioResult => {
  const id = `${outcome === 'pass' ? 'made-up' : 'broken'}.area-${at % 30}.case-${at}`
  const ok = outcome === 'pass'
  return {
    id,
    title: `Sample case number ${at}`,
    role: 'verifier',
    version: '3.0',
    requirements: ['VPUSH-EVIDENCE-ACCEPTED'],
    outcome,
    ms: 12,
    checks: [
      ...[0, 1, 2].map((step) => ({
        requirement: 'VPUSH-EVIDENCE-ACCEPTED',
        what: `status of step ${step}`,
        expected: '202',
        received: ok ? '202' : '500',
        ok,
        at: 0,
      })),
    ],
    observations: [],
    transcript: { entries: 1, kept },
    repeat: `npm start -- --only ${id}`,
  }
}

/** Scenarios that passed and failed, with one exchange each. */
export const largeRun = ({
  passed,
  failed,
  body,
  keepsAll = false,
}: LargeRun): { readonly result: RunResult; readonly transcripts: Transcripts } => {
  const scenarios = [
    ...Array.from({ length: passed }, (_, at) => scenarioAt(at, 'pass', keepsAll)),
    ...Array.from({ length: failed }, (_, at) => scenarioAt(at, 'fail', true)),
  ]
  const transcripts = new Transcripts('all')
  const entry = exchange({
    ...{ at_ms: 1, ms: 2, speaker: 'agent', tls: AS_AGENT, send: `GET ${VERIFIER}/v3/x` },
    ...{ status: 500, reply: { log: 'A'.repeat(body) } },
  })
  for (const one of scenarios) if (one.transcript.kept) transcripts.keep(one, [entry])
  return { result: sampleResult(scenarios), transcripts }
}

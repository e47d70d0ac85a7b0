import { causesOf } from '../causes.ts'
import type { RequirementResult } from '../requirement-result.ts'
import { OUTCOMES, type RunResult, type ScenarioResult, type Scope } from '../result.ts'
import { sampleScenarios } from './sample-scenarios.ts'
import { REGISTRAR, VERIFIER } from './sample-transcript.ts'

type Row = readonly [
  id: string,
  component: string,
  versions: string,
  lines: readonly number[],
  says: string,
  strength: RequirementResult['strength'],
  more?: Pick<RequirementResult, 'judged' | 'excluded' | 'readings' | 'security'>,
]

const ROWS: readonly Row[] = [
  [
    'REG-LIST-UUIDS',
    'registrar',
    '2.1-3.0',
    [275],
    'The list of registered agents is ordered by value or by the time of registration.',
    'either',
    { readings: ['by value'] },
  ],
  [
    'REG-ENVELOPE',
    'registrar',
    '2.1-3.0',
    [18, 22],
    'Every answer has code, status and results.',
    'fixed',
  ],
  [
    'REG-PORT-TYPE',
    'registrar',
    '2.1-3.0',
    [50, 53],
    '`port` is sent as a string and read as an integer.',
    'silent',
  ],
  [
    'VPUSH-EVIDENCE-ACCEPTED',
    'verifier',
    '3.0',
    [241],
    'Evidence is acknowledged with 202 before it is verified.',
    'fixed',
  ],
  [
    'VPUSH-EVALUATION-PASS',
    'verifier',
    '3.0',
    [127, 196],
    'evaluation is pass when the evidence verified.',
    'fixed',
  ],
  [
    'VPUSH-EVALUATION-FAIL',
    'verifier',
    '3.0',
    [127, 196],
    'evaluation is fail when verification failed.',
    'fixed',
    { security: true },
  ],
  [
    'VPUSH-REASON-BROKEN',
    'verifier',
    '3.0',
    [128, 196],
    'failure_reason is broken_evidence_chain when the quote does not hold.',
    'fixed',
  ],
  [
    'VPUSH-SESSION-CREATE',
    'verifier',
    '3.0',
    [246],
    'A session is created with 200 and holds a challenge.',
    'fixed',
  ],
  [
    'REG-UNKNOWN-AGENT',
    'registrar',
    '2.1-',
    [281],
    'An id that was never registered is answered with 404.',
    'fixed',
  ],
  [
    'REG-RESTART-KEEPS',
    'registrar',
    '2.1-',
    [290],
    'Registered agents survive a restart of the registrar.',
    'fixed',
    { judged: 'white-box', excluded: 'The suite cannot restart the registrar.' },
  ],
  [
    'VPULL-QUOTE-INTERVAL',
    'verifier',
    '2.1-2.5',
    [198],
    'An agent is asked for a quote once in every interval.',
    'fixed',
    { judged: 'clock', security: true },
  ],
  ['VMUTUAL-OLD', 'verifier', '1.0-2.0', [61], 'The first versions carry no mutual TLS.', 'fixed'],
  [
    'VPUSH-UNKNOWN-INDEX',
    'verifier',
    '3.0',
    [382],
    'The status for an unknown index is not shown.',
    'silent',
  ],
]

const resultsByVersion = (
  scenarios: readonly ScenarioResult[],
  id: string,
): RequirementResult['by_version'] => {
  const found: Record<string, 'pass' | 'fail'> = {}
  for (const { version, checks } of scenarios) {
    const own = checks.filter((check) => check.requirement === id)
    if (own.length === 0) continue
    found[version] = own.every((check) => check.ok) && found[version] !== 'fail' ? 'pass' : 'fail'
  }
  return found
}

const requirements = (scenarios: readonly ScenarioResult[]): readonly RequirementResult[] =>
  ROWS.map(([id, component, versions, lines, says, strength, more = {}]) => ({
    id,
    component,
    versions,
    lines,
    says,
    strength,
    ...more,
    by_version: resultsByVersion(scenarios, id),
  }))

const totalsOf = (scenarios: readonly ScenarioResult[]): RunResult['totals'] => {
  const counts = OUTCOMES.map(
    (outcome) => [outcome, scenarios.filter((one) => one.outcome === outcome).length] as const,
  )
  return Object.fromEntries(counts) as Record<(typeof OUTCOMES)[number], number>
}

const COMPLAINT = 'the target file claims uefi_log, and no check of this run exercised it'

const SCOPE: Scope = {
  text: 'registrar 2.4–3.0, verifier pull 2.4–2.5 without polling, verifier push 3.0 (without IMA, firmware logs); 1 of 14 not applicable',
  parts: [
    { role: 'registrar', versions: ['2.4', '2.5', '3.0'], without: [] },
    { role: 'verifier', mode: 'pull', versions: ['2.4', '2.5'], without: ['pull_mode'] },
    { role: 'verifier', mode: 'push', versions: ['3.0'], without: ['ima_log', 'uefi_log'] },
  ],
  narrowed: [],
  missing: [],
}

const conforms = (scenarios: readonly ScenarioResult[]): boolean =>
  scenarios.every((one) => one.outcome === 'pass')

const certificationOf = (scenarios: readonly ScenarioResult[]): RunResult['certification'] => {
  const covers = SCOPE.text
  if (conforms(scenarios)) return { possible: true, because: [], covers }
  const because = [
    'a scenario was left out',
    'REG-UNKNOWN-AGENT is waived',
    COMPLAINT,
    'the verdict is: does not conform',
  ]
  return { possible: false, because, covers }
}

/**
 * A sample run with every outcome, a hostile subject and both kinds of silence; the same each time. With `scenarios`
 * the totals and requirement rows are those of the given scenarios.
 */
export const sampleResult = (
  scenarios: readonly ScenarioResult[] = sampleScenarios(),
): RunResult => ({
  schema: 'assay.result/2',
  assay_version: '0.1.0',
  interface_sha256: '1b2c8e0f6a3d5947b0c1d2e3f4a5968778695a4b3c2d1e0f9a8b7c6d5e4f3021',
  target: {
    name: 'Example vendor (made up)',
    file: 'vendor.yaml',
    roles: [
      { role: 'registrar', url: REGISTRAR },
      { role: 'verifier', url: VERIFIER },
    ],
    versions: ['2.4', '2.5', '3.0'],
    dialect: 'document',
  },
  seed: '7f3a91c2',
  started_at: '2026-11-20T16:02:11.000Z',
  finished_at: '2026-11-20T16:02:34.512Z',
  verdict: conforms(scenarios) ? 'conforms' : 'does not conform',
  exit_code: conforms(scenarios) ? 0 : 1,
  totals: totalsOf(scenarios),
  causes: causesOf(scenarios),
  complaints: conforms(scenarios) ? [] : [COMPLAINT],
  certification: certificationOf(scenarios),
  scope: SCOPE,
  matrices: [{ name: 'colours', defined: 12, executed: 12, red: [] }],
  setup: [
    { what: 'CA certificate', ok: true, detail: 'CN=example CA, valid for 364 days', ms: 1 },
    { what: 'client certificate', ok: true, detail: 'CN=client has clientAuth', ms: 1 },
    { what: 'versions of the registrar', ok: true, detail: '2.4, 2.5, 3.0', ms: 34 },
    { what: 'clock', ok: true, detail: 'skew 0.2 s', ms: 0 },
  ],
  scenarios,
  requirements: requirements(scenarios),
})

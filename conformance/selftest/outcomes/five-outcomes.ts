import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSwtpmPool } from '../../../simulator/swtpm/pool.ts'
import { Slots } from '../../attempt/slots.ts'
import { SecureContexts } from '../../client/tls/secure-contexts.ts'
import { DIALECTS } from '../../dialects/dialect.ts'
import { createRedactor } from '../../report/redaction/redact.ts'
import type { Outcome, ScenarioResult } from '../../report/result.ts'
import { Transcripts } from '../../report/transcripts/transcripts.ts'
import { UnservedOperations } from '../../runner/causes/unserved-operations.ts'
import { planTrials } from '../../runner/plan.ts'
import type { RunEnvironment } from '../../runner/run-environment.ts'
import { startTrials } from '../../runner/start-trials.ts'
import type { Scenario } from '../../scenario.ts'
import { NO_DEVIATIONS } from '../../target/deviations.ts'

const base: Omit<Scenario, 'id' | 'run'> = {
  title: 'an outcome',
  requirements: ['REQ'],
  role: 'verifier',
  since: '3.0',
}

/** Scenarios without requests, one for each outcome that needs no subject. */
const SCENARIOS: readonly Scenario[] = [
  { ...base, id: 'passes', run: async ({ check }) => void check('REQ', 'one').of(1).is(1) },
  { ...base, id: 'fails', run: async ({ check }) => void check('REQ', 'one').of(1).is(2) },
  {
    ...base,
    id: 'is-blocked',
    variantOf: 'fails',
    run: async ({ check }) => void check('REQ', 'one').of(1).is(1),
  },
  {
    ...base,
    id: 'cannot-arise',
    run: async ({ notApplicable }) => notApplicable('nothing to test'),
  },
  { ...base, id: 'is-our-fault', run: () => Promise.reject(new TypeError('a slip')) },
]

export const EXPECTED: Readonly<Record<string, Outcome>> = {
  passes: 'pass',
  fails: 'fail',
  'is-blocked': 'blocked',
  'cannot-arise': 'not-applicable',
  'is-our-fault': 'harness-fault',
}

/** A directory that does not exist. */
const NOWHERE = join(tmpdir(), 'assay-nowhere')

/** A run environment without a deployment. */
export const ENVIRONMENT: RunEnvironment = {
  urls: {
    registrar: undefined,
    verifier: undefined,
    plainRegistrar: undefined,
    provider: undefined,
  },
  controls: {},
  lifetimes: {},
  variants: {},
  versions: ['3.0'],
  capabilities: [],
  dialect: DIALECTS.document,
  contexts: new SecureContexts(''),
  tlsFiles: { ca: '', admin: { certificate: '', key: '' } },
  admin: { name: 'admin' },
  factory: {
    directory: NOWHERE,
    manufacturer: {
      certificatePem: '',
      certificate: new Uint8Array(),
      certifyEk: () => Promise.reject(new Error('no machine factory in this test')),
      signAnew: () => Promise.reject(new Error('no machine factory in this test')),
      certifyDevice: () => Promise.reject(new Error('no machine factory in this test')),
    },
    boot: { uefi: new Uint8Array(), ima: [] },
    tpms: openSwtpmPool({ directory: NOWHERE }),
    onProcess: () => undefined,
    environment: {},
  },
  seed: 'five',
  scenarioMs: 1000,
  requestMs: 1000,
  verdictWithinMs: 100,
  quoteIntervalMs: 2000,
  now: () => performance.now(),
  wait: () => Promise.resolve(),
  pace: () => Promise.resolve(),
  health: {
    died: new AbortController().signal,
    death: () => undefined,
    suspect: () => Promise.resolve(),
  },
  recovered: () => Promise.resolve(),
  redactor: createRedactor([]),
  transcripts: new Transcripts('none'),
  unserved: new UnservedOperations(),
  rows: [],
  deviations: NO_DEVIATIONS,
  interrupted: new AbortController().signal,
  repeat: (id) => `npm start -- --only ${id}`,
}

export function startFive(
  environment: Partial<RunEnvironment> = {},
): readonly Promise<ScenarioResult>[] {
  const plan = { roles: ['verifier'], versions: ['3.0'], capabilities: [], only: [] }
  const trials = planTrials(SCENARIOS, plan)
  const slots = new Slots(2)
  return startTrials({ ...ENVIRONMENT, ...environment }, trials, {
    slots,
    onFinished: () => undefined,
  })
}

export const FIVE_NAMES: readonly string[] = planTrials(SCENARIOS, {
  roles: ['verifier'],
  versions: ['3.0'],
  capabilities: [],
  only: [],
}).map(({ scenario }) => scenario.id)

import type { CertificateProfile } from '../../../conformance/catalogue/certification/profiles.ts'
import type { CatalogueRow } from '../../../conformance/catalogue/requirement.ts'
import type { CheckResult, RunResult, ScenarioResult } from '../../../conformance/report/result.ts'
import { judgeRun } from '../../../conformance/runner/result/judge-run.ts'
import type { Scenario } from '../../../conformance/scenario.ts'
import { profileCatalogue } from '../judge/profile-catalogue.ts'

const row = (id: string, more: Partial<CatalogueRow> = {}): CatalogueRow => ({
  ...{ id, component: 'registrar', since: '2.1', lines: [1], says: id },
  ...{ strength: 'fixed', judged: 'wire' },
  ...more,
})

export const ROWS: readonly CatalogueRow[] = [
  row('REG-ADDED'),
  row('REG-REFUSED', { security: true }),
  row('REG-STORE', { security: true }),
  row('REG-DEVICE', { security: true }),
  row('REG-SILENT', { strength: 'silent' }),
  row('REG-BOTH', { judged_by: ['REG-ADDED', 'REG-REFUSED'] }),
  row('VER-OTHER', { component: 'verifier' }),
]

const scenario = (id: string, row: string, more: Partial<Scenario> = {}): Scenario => ({
  ...{ id, title: id, requirements: [row], role: 'registrar', since: '2.1' },
  ...{ run: () => Promise.resolve() },
  ...more,
})

export const SCENARIOS: readonly Scenario[] = [
  scenario('registrar.added', 'REG-ADDED', { provesFunction: true }),
  scenario('registrar.refused', 'REG-REFUSED', { variantOf: 'registrar.added' }),
  scenario('registrar.store', 'REG-STORE', { needs: ['ek_store'] }),
  scenario('registrar.device', 'REG-DEVICE', { needs: ['device_identity'] }),
  scenario('registrar.silent', 'REG-SILENT'),
  scenario('verifier.other', 'VER-OTHER', { role: 'verifier' }),
]

export const PROFILE: CertificateProfile = {
  name: 'sample',
  subject: 'registrar',
  roles: ['registrar'],
  versions: { since: '2.1' },
  components: ['registrar'],
  capabilities: ['ek_store'],
}

const JUDGE = {
  ...{ requirements: ROWS, scenarios: SCENARIOS },
  ...{ assay_version: '0.1.0', interface_sha256: 'ab'.repeat(32) },
}

/** What Assay knows of the sample's profile. */
export const CATALOGUE = profileCatalogue(PROFILE, JUDGE)

const TARGET: RunResult['target'] = {
  ...{ name: 'Example | registrar', file: 'ours.target.yaml', dialect: 'document' },
  roles: [{ role: 'registrar', url: 'https://127.0.0.1:8891' }],
  ...{ versions: ['2.5', '3.0'], capabilities: ['ek_store', 'ima_log'] },
}

/** A check that holds; that of the silent row does not. */
function checkOf({ id, strength }: CatalogueRow): CheckResult {
  const ok = strength !== 'silent'
  const values = { what: 'HTTP status', expected: '200', received: ok ? '200' : '204' }
  return { requirement: id, ...values, ok, at: 0, ...(ok ? {} : { strength }) }
}

/** How a scenario of the sample ended. */
function resultOf({ id, version }: { id: string; version: string }): ScenarioResult {
  const found = SCENARIOS.find((one) => one.id === id)
  const own = ROWS.filter((one) => found?.requirements.includes(one.id))
  const missing = id === 'registrar.device'
  const warns = own.some(({ strength }) => strength === 'silent')
  const reason = 'the target file does not list the capability device_identity'
  return {
    ...{ id, title: id, role: 'registrar', version, requirements: found?.requirements ?? [] },
    ...(found?.variantOf === undefined ? {} : { variant_of: found.variantOf }),
    ...(missing ? { outcome: 'not-applicable', reason } : { outcome: warns ? 'warn' : 'pass' }),
    ...(warns ? { reason: 'REG-SILENT, HTTP status: expected 200, received 204' } : {}),
    ...{ ms: 1, checks: missing ? [] : own.map(checkOf), observations: [] },
    ...{ transcript: { entries: 1, kept: false }, repeat: `assay run --only ${id}` },
  }
}

const VERSIONS = ['2.5', '3.0']

export interface SampleRun {
  readonly seed?: string
  readonly target?: Partial<RunResult['target']>
  readonly assay_version?: string
  readonly interface_sha256?: string
  readonly selection?: Partial<RunResult['selection']>
  /** The results that the run is judged with. */
  readonly scenarios?: (results: readonly ScenarioResult[]) => readonly ScenarioResult[]
  readonly allowances?: readonly string[]
  readonly complaints?: readonly string[]
  readonly baseline?: RunResult['baseline']
  readonly ended?: RunResult['ended_early']
}

/** The result of the run with that number, judged as `assay run` judges it. */
export function sampleRun(number: number, given: SampleRun = {}): RunResult {
  const at = (minute: number) => `2026-11-24T0${number}:0${minute}:00.000Z`
  const results = CATALOGUE.scenarios.flatMap(({ id }) =>
    VERSIONS.map((version) => resultOf({ id, version })),
  )
  const { seed = `seed-${number}`, scenarios = (all) => all } = given
  const { assay_version = '0.1.0', interface_sha256 = 'ab'.repeat(32) } = given
  const result = judgeRun({
    facts: {
      ...{ assay_version, interface_sha256, seed, setup: [] },
      target: { ...TARGET, ...given.target },
      ...{ started_at: at(0), finished_at: at(5) },
      selection: {
        ...{ only: [], exclude: [], role: [], version: [], profile: 'sample' },
        ...given.selection,
      },
    },
    results: scenarios(results),
    ...{ scenarios: CATALOGUE.scenarios, requirements: ROWS, capabilities: ['ek_store'] },
    ...{ roles: ['registrar'], narrowing: { only: [], role: [], version: [] } },
    ...{ ended: given.ended, baseline: given.baseline },
    ...{ complaints: given.complaints ?? [], allowances: given.allowances ?? [] },
  })
  return JSON.parse(JSON.stringify(result))
}

import { strengthIn } from '../../../conformance/catalogue/certification/profile-scope.ts'
import type { CertificateProfile } from '../../../conformance/catalogue/certification/profiles.ts'
import { OUTCOME_ROWS, reasonOf } from '../../../conformance/report/outcomes.ts'
import type { RunResult, ScenarioResult } from '../../../conformance/report/result.ts'
import { shortLine } from '../../../conformance/report/visible.ts'
import type { Trial } from '../../../conformance/runner/plan.ts'
import { narrowedBy } from '../../../conformance/runner/result/describe-scope.ts'
import { decideOutcome } from '../../../conformance/runner/result/outcome.ts'
import { judgeAgain } from './judge-again.ts'
import type { ProfileCatalogue } from './profile-catalogue.ts'
import { ASK_AGAIN, type KitRun, type Refusal, RUN_AGAIN } from './refusal.ts'

/** Everything in one run that a certificate does not allow, with the name of the run; empty if it passed. */
export function refuseRun(run: KitRun, catalogue: ProfileCatalogue): readonly Refusal[] {
  const foreign = refuseOtherAssay(run.result, catalogue)
  const parts = foreign.length > 0 ? foreign : refuseResult(run.result, catalogue)
  return parts.map(({ says, next }) => ({ says: `${run.name}: ${shortLine(says, 500)}`, next }))
}

/** A result that another Assay wrote cannot be judged by the catalogue of this one. */
function refuseOtherAssay(
  { assay_version: version, interface_sha256: sha256 }: RunResult,
  judge: ProfileCatalogue,
): readonly Refusal[] {
  if (version !== judge.assay_version)
    return [
      {
        says: `written by Assay ${version}, and this is Assay ${judge.assay_version}`,
        next: `verify the kit with Assay ${version}`,
      },
    ]
  if (sha256 === judge.interface_sha256) return []
  return [
    {
      says: 'written for another text of the interface document',
      next: 'verify the kit with the Assay that made it',
    },
  ]
}

function refuseResult(result: RunResult, catalogue: ProfileCatalogue): readonly Refusal[] {
  const selection = refuseSelection(result, catalogue.profile)
  if (selection.length > 0) return selection
  const plan = catalogue.trialsFor(result.target)
  const refused = [...refusePlan(result, plan), ...refuseScenarios(result, plan, catalogue)]
  return refused.length > 0 ? refused : refuseJudgement(result, catalogue)
}

function refuseSelection(
  { selection, baseline, ended_early: ended }: RunResult,
  { name }: CertificateProfile,
): readonly Refusal[] {
  const next = RUN_AGAIN
  if (selection?.profile !== name)
    return [{ says: `a run of ${selection?.profile ?? 'no profile'}, not of ${name}`, next }]
  return [
    ...narrowedBy(selection).map((option) => ({ says: `--${option} left scenarios out`, next })),
    ...(baseline === undefined ? [] : [{ says: 'a baseline expects failures', next }]),
    ...(ended === undefined ? [] : [{ says: `the run ended early: ${ended.says}`, next }]),
  ]
}

type Head = Pick<ScenarioResult, 'id' | 'version'>

const nameOf = ({ id, version }: Head): string => `${id} under ${version}`

function trialName({ scenario, version }: Trial): string {
  return nameOf({ id: scenario.id, version })
}

/** Every scenario of the plan once, and no other. */
function refusePlan({ scenarios }: RunResult, plan: readonly Trial[]): readonly Refusal[] {
  const next = ASK_AGAIN
  const counts = new Map<string, number>()
  for (const one of scenarios) counts.set(nameOf(one), (counts.get(nameOf(one)) ?? 0) + 1)
  const planned = new Set(plan.map(trialName))
  return [
    ...[...planned]
      .filter((name) => !counts.has(name))
      .map((name) => ({ says: `the scenario ${name} is missing`, next })),
    ...[...counts].flatMap(([name, count]) => [
      ...(planned.has(name) ? [] : [{ says: `the plan has no scenario ${name}`, next }]),
      ...(count > 1 ? [{ says: `the scenario ${name} is there ${count} times`, next }] : []),
    ]),
  ]
}

function refuseScenarios(
  { scenarios }: RunResult,
  plan: readonly Trial[],
  catalogue: ProfileCatalogue,
): readonly Refusal[] {
  const trials = new Map(plan.map((trial) => [trialName(trial), trial]))
  return scenarios.flatMap((result) => {
    const trial = trials.get(nameOf(result))
    if (trial === undefined) return []
    const [problem] = [
      ...refuseHead(result, trial),
      ...refuseChecks(result, trial, catalogue),
      ...refuseOutcome(result, trial),
    ]
    return problem === undefined ? [] : [problem]
  })
}

/** What the catalogue says of a scenario cannot be otherwise in a result. */
function refuseHead(result: ScenarioResult, { scenario }: Trial): readonly Refusal[] {
  const { role, requirements, variantOf } = scenario
  const isSame =
    result.role === role &&
    result.variant_of === variantOf &&
    JSON.stringify(result.requirements) === JSON.stringify(requirements)
  if (isSame) return []
  return [{ says: `${nameOf(result)} is not as in the catalogue`, next: ASK_AGAIN }]
}

function refuseChecks(
  { checks, ...result }: ScenarioResult,
  { scenario, version }: Trial,
  { rowsById }: ProfileCatalogue,
): readonly Refusal[] {
  const name = nameOf(result)
  return checks.flatMap(({ requirement, excused, strength = 'fixed' }): readonly Refusal[] => {
    if (excused !== undefined)
      return [
        {
          says: `a check of ${requirement} in ${name} is waived: ${excused}`,
          next: 'mend what the check found; a certificate allows no waiver',
        },
      ]
    if (!result.requirements.includes(requirement))
      return [{ says: `${name} has a check of ${requirement}, not its own`, next: ASK_AGAIN }]
    const row = rowsById.get(requirement)
    if (row && strengthIn(version, row, scenario) === strength) return []
    const says = `a check of ${requirement} in ${name} has the strength ${strength}, not that of the catalogue`
    return [{ says, next: ASK_AGAIN }]
  })
}

const GOOD: readonly string[] = ['pass', 'warn', 'observed', 'not-applicable']

/** What to do after an outcome that prevents a certificate. */
const NEXT: Readonly<Record<string, string>> = {
  skipped: 'run every scenario: no option, and no early end of the run',
  waived: 'mend what the waiver excuses; a certificate allows none',
  'harness-fault': 'report the fault of Assay, and run again',
}

function refuseOutcome(result: ScenarioResult, { excluded }: Trial): readonly Refusal[] {
  const { outcome, checks, observations } = result
  const name = nameOf(result)
  if (!GOOD.includes(outcome))
    return [
      {
        says: `${name} is not passed (${OUTCOME_ROWS[outcome].word}): ${reasonOf(result)}`,
        next:
          NEXT[outcome] ?? 'mend the deployment, then certify again; report.html has the checks',
      },
    ]
  const expected =
    excluded?.outcome ??
    decideOutcome({ checks, observations: observations.length, thrown: undefined }).outcome
  const isLeft = outcome === 'not-applicable' && checks.every(({ ok }) => ok)
  if (expected === outcome || (excluded === undefined && isLeft)) return []
  const says = `${name} says ${outcome}, and its checks give ${expected}`
  return [{ says, next: ASK_AGAIN }]
}

/** Members of a result that follow from its scenarios, the most important first. */
const DERIVED = [
  ...(['verdict', 'exit_code', 'totals', 'scope', 'certification', 'complaints'] as const),
  ...(['causes', 'scenarios', 'requirements', 'matrices'] as const),
]

/** The verdict, computed by the function of `assay run`, and what a result says of itself. */
function refuseJudgement(result: RunResult, catalogue: ProfileCatalogue): readonly Refusal[] {
  const judged = judgeAgain(result, catalogue)
  const { verdict, certification } = judged
  const because = certification.because.filter((why) => !why.startsWith('the verdict is'))
  if (verdict !== 'conforms' || !certification.possible)
    return [
      {
        says: `its scenarios give the verdict ${verdict}${because.length > 0 ? `: ${because.join('; ')}` : ''}`,
        next: 'mend the deployment or its target file, then certify again',
      },
    ]
  const plain = JSON.parse(JSON.stringify(judged))
  const differs = DERIVED.find((name) => !isSame(plain[name], result[name]))
  if (differs === undefined) return []
  return [{ says: `its ${differs} does not follow from its scenarios`, next: ASK_AGAIN }]
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

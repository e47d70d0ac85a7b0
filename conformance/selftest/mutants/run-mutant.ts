import { rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createManufacturer } from '../../../simulator/swtpm/manufacturer.ts'
import { freshSeed } from '../../attempt/random.ts'
import { Slots } from '../../attempt/slots.ts'
import type { MutantRow } from '../../catalogue/load-mutants.ts'
import { loadRequirements } from '../../catalogue/load-requirements.ts'
import { compareVersions } from '../../catalogue/routes/operations.ts'
import { packageRoot } from '../../input/package-root.ts'
import { makeHarnessAuthority } from '../../peers/harness-authority.ts'
import type { ScenarioResult } from '../../report/result.ts'
import { discoverScenarios } from '../../runner/discover.ts'
import { makeEnvironment, openMachineFactory } from '../../runner/make-environment.ts'
import { planTrials, type Trial } from '../../runner/plan.ts'
import { decideVerdict } from '../../runner/result/outcome.ts'
import { summarizeMatrices } from '../../runner/result/summarize-matrices.ts'
import { closeEnvironment, type RunEnvironment } from '../../runner/run-environment.ts'
import { startTrials } from '../../runner/start-trials.ts'
import type { Scenario } from '../../scenario.ts'
import { chooseDialect } from '../../target/choose-dialect.ts'
import { probe } from '../../target/deployment/probe.ts'
import { startOnFreePorts } from '../../target/deployment/start-on-free-ports.ts'
import { NO_DEVIATIONS } from '../../target/deviations.ts'
import { loadTarget, type TargetSurroundings } from '../../target/load-target.ts'
import { createRunDirectory, type RunDirectory } from '../../target/processes/run-directory.ts'
import { rolesUnderTest, type Target, VARIANTS } from '../../target/target.ts'
import { freshOut } from '../command.ts'
import { commandOfServers, type HostedTarget, startInHost } from './host-mutant.ts'

const READY_MS = 30_000
const POLL_MS = 20

const FOLDER = join(packageRoot(), 'reference', 'dev', 'mutants')

/** Read once: each mutant runs a few of hundreds of scenarios. */
const requirements = loadRequirements()
const manufacturer = await createManufacturer({ now: new Date() })
export const scenarios = await discoverScenarios(requirements)

/** Shared by all mutants: while the scenarios of one wait, those of others compute. */
const slots = new Slots(2 * availableParallelism())

/** The result of a mutant. */
export interface MutantResult {
  readonly exitCode: 0 | 1 | 2
  /** Scenarios that did not pass. */
  readonly failed: readonly ScenarioResult[]
  /** Cells of matrices that did not hold. */
  readonly red: readonly string[]
  /** Repeats the random choices, as `ASSAY_SEED`. */
  readonly seed: string
}

/**
 * Starts a mutant by the target file of its row, and runs some scenarios and their twins against it. This is `assay
 * run` without preflight checks and reports.
 */
export async function runMutant(
  id: string,
  only: readonly Scenario[],
  row: Pick<MutantRow, 'target' | 'versions' | 'matrix'> = {},
  onRecorded?: RunEnvironment['onRecorded'],
): Promise<MutantResult> {
  const { target: kind = 'built', versions = [], matrix } = row
  const newestOnly = versions.length === 0 && matrix === undefined
  const out = freshOut()
  const run = createRunDirectory(out)
  try {
    const seed = process.env['ASSAY_SEED'] ?? freshSeed()
    const results = await runScenarios({
      ...{ id, only, kind, versions, newestOnly, run, seed },
      ...(onRecorded && { onRecorded }),
    })
    return {
      exitCode: decideVerdict(results).exitCode,
      failed: results.filter(({ outcome }) => outcome !== 'pass'),
      red: summarizeMatrices(scenarios, results).flatMap((one) => one.red),
      seed,
    }
  } finally {
    await run.close()
    rmSync(out, { recursive: true, force: true })
  }
}

/** The components of a mutant share a process, and the start waits only for the first of them. */
async function allAnswer({ roles, tls }: Target): Promise<void> {
  const deadline = performance.now() + READY_MS
  for (const { url } of roles) {
    while (
      (await probe(`${url}/version`, { ca: tls.ca, timeoutMs: READY_MS })).kind !== 'answered'
    ) {
      if (performance.now() > deadline) throw new Error(`the mutant does not answer at ${url}`)
      await pause(POLL_MS)
    }
  }
}

/** Each scenario under the newest minor version of each major version, and its twins under the same. */
function newestOf(trials: readonly Trial[]): readonly Trial[] {
  const nameOf = (id: string, version: string) => `${id} ${version}`
  const newest = new Map(
    trials
      .toSorted((one, other) => compareVersions(one.version, other.version))
      .map((trial) => [nameOf(trial.scenario.id, trial.version.split('.')[0] ?? ''), trial]),
  )
  const byId = new Map(trials.map(({ scenario }) => [scenario.id, scenario]))
  const kept = new Set<string>()
  for (const { scenario, version } of newest.values())
    for (
      let one: Scenario | undefined = scenario;
      one !== undefined;
      one = byId.get(one.variantOf ?? '')
    )
      kept.add(nameOf(one.id, version))
  return trials.filter(({ scenario, version }) => kept.has(nameOf(scenario.id, version)))
}

/** Uses a host, unless there are no servers to start, or a scenario restarts them. */
async function startServers(
  read: Target,
  trials: readonly Trial[],
  surroundings: TargetSurroundings,
  run: RunDirectory,
): Promise<HostedTarget> {
  const restarted = trials.some(({ scenario }) => scenario.alone !== undefined)
  if (commandOfServers(read) !== undefined && !restarted)
    return startInHost(read, surroundings, run)
  return { ...(await startOnFreePorts(read, surroundings, run)), end: async () => undefined }
}

interface MutantRun {
  readonly id: string
  readonly only: readonly Scenario[]
  readonly kind: string
  readonly versions: readonly string[]
  /** Whether each scenario runs under the newest versions alone. */
  readonly newestOnly: boolean
  readonly run: RunDirectory
  readonly seed: string
  readonly onRecorded?: RunEnvironment['onRecorded']
}

async function runScenarios(request: MutantRun) {
  const { id, only, kind, versions, newestOnly, run, seed, onRecorded } = request
  const ekCa = join(run.path, 'ek-ca.pem')
  writeFileSync(ekCa, manufacturer.certificatePem)
  const env = { ...process.env, ASSAY_MUTANT: id }
  const authority = await makeHarnessAuthority(run.path)
  const file = join(FOLDER, `${kind}-mutant.target.yaml`)
  const surroundings = {
    run: run.path,
    ekCa,
    env,
    variants: VARIANTS.filter((name) => only.some(({ settings }) => settings === name)),
  }
  const read = await loadTarget(file, surroundings)
  const names = only.map((scenario) => scenario.id)
  const planOf = (target: Target) => {
    const roles = rolesUnderTest(target)
    const trials = planTrials(scenarios, { ...target, roles, only: names, version: versions })
    return newestOnly ? newestOf(trials) : trials
  }
  const { target, deployment, end } = await startServers(read, planOf(read), surroundings, run)
  try {
    await allAnswer(target)
    const environment = makeEnvironment({
      ...{
        target,
        deployment,
        run,
        authority,
        seed,
        rows: requirements,
        deviations: NO_DEVIATIONS,
        ...(onRecorded && { onRecorded }),
      },
      factory: await openMachineFactory(manufacturer, run),
      dialect: chooseDialect(target.dialect),
      interrupted: new AbortController().signal,
    })
    return await runAll(environment, planOf(target))
  } finally {
    await end()
  }
}

async function runAll(
  environment: RunEnvironment,
  trials: readonly Trial[],
): Promise<readonly ScenarioResult[]> {
  try {
    return await Promise.all(
      startTrials(environment, trials, { slots, onFinished: () => undefined }),
    )
  } finally {
    await closeEnvironment(environment)
  }
}

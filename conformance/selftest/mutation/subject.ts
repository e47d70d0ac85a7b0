import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createManufacturer } from '../../../simulator/swtpm/manufacturer.ts'
import { freshSeed } from '../../attempt/random.ts'
import { loadRequirements } from '../../catalogue/load-requirements.ts'
import { packageRoot } from '../../input/package-root.ts'
import { makeHarnessAuthority } from '../../peers/harness-authority.ts'
import type { ScenarioResult } from '../../report/result.ts'
import { discoverScenarios } from '../../runner/discover.ts'
import { makeEnvironment, openMachineFactory } from '../../runner/make-environment.ts'
import { planTrials, type Trial } from '../../runner/plan.ts'
import { closeEnvironment, type RunEnvironment } from '../../runner/run-environment.ts'
import { runScenario } from '../../runner/run-scenario.ts'
import { chooseDialect } from '../../target/choose-dialect.ts'
import { startDeployment } from '../../target/deployment/deployment.ts'
import { onFreePorts } from '../../target/deployment/start-on-free-ports.ts'
import { NO_DEVIATIONS } from '../../target/deviations.ts'
import { loadTarget } from '../../target/load-target.ts'
import { createRunDirectory } from '../../target/processes/run-directory.ts'
import { rolesUnderTest, type Target, VARIANTS } from '../../target/target.ts'
import { freshOut } from '../command.ts'
import { asRunning, wordsOfServers } from '../mutants/host-mutant.ts'
import { type Coverage, MutantHost } from '../mutants/mutant-host.ts'

const FOLDER = join(packageRoot(), 'conformance', 'selftest', 'mutation')

const requirements = loadRequirements()
const scenarios = await discoverScenarios(requirements)
const manufacturer = await createManufacturer({ now: new Date() })

/** A mutant to switch on: its name in the build, and whether it takes effect only while the program is loaded. */
export interface Activation {
  readonly active: string
  readonly atLoad: boolean
}

/** A deployment of the reference in which one mutant at a time can be active. */
export interface Subject {
  /** Scenarios under versions that can run against it. */
  readonly trials: readonly Trial[]
  /** Makes a mutant active, or none, and starts the servers again. Rejects if they do not start. */
  activate(mutant: Activation | null): Promise<void>
  run(trial: Trial): Promise<ScenarioResult>
  /** Runs a scenario and returns the mutants whose code it has reached. */
  cover(trial: Trial): Promise<{ result: ScenarioResult; reached: readonly string[] }>
  /** The mutants whose code runs while the program is loaded, and those whose code runs by the time that it listens. */
  coverStart(): Promise<Pick<Coverage, 'atLoad' | 'atStart'>>
  close(): Promise<void>
}

interface Opened {
  readonly environment: RunEnvironment
  readonly close: () => Promise<void>
}

/** What all deployments of a subject share: its folder, the CA of the harness, the factory of machines. */
async function openPlace() {
  const out = freshOut()
  const run = createRunDirectory(out)
  const ekCa = join(run.path, 'ek-ca.pem')
  writeFileSync(ekCa, manufacturer.certificatePem)
  const authority = await makeHarnessAuthority(run.path)
  const factory = await openMachineFactory(manufacturer, run)
  const close = async () => {
    await run.close()
    rmSync(out, { recursive: true, force: true })
  }
  return { out, run, ekCa, authority, factory, close }
}

type Place = Awaited<ReturnType<typeof openPlace>>

async function openEnvironment(place: Place, target: Target): Promise<Opened> {
  const { run, authority, factory } = place
  const deployment = await startDeployment(asRunning(target), run)
  const environment = makeEnvironment({
    ...{ target, deployment, run, authority, factory, seed: freshSeed(), rows: requirements },
    ...{ deviations: NO_DEVIATIONS, dialect: chooseDialect(target.dialect) },
    interrupted: new AbortController().signal,
  })
  return {
    environment,
    close: () => closeEnvironment(environment),
  }
}

function readTarget(place: Place, file: string, env: Readonly<Record<string, string>>) {
  const surroundings = {
    ...{ run: place.run.path, ekCa: place.ekCa, env: { ...process.env, ...env } },
    variants: VARIANTS,
  }
  return { surroundings, read: loadTarget(join(FOLDER, file), surroundings) }
}

function planOf(target: Target): readonly Trial[] {
  return planTrials(scenarios, {
    ...{ ...target, roles: rolesUnderTest(target), only: [] },
  }).filter(({ excluded, scenario }) => excluded === undefined && scenario.alone === undefined)
}

let started = 0

/** Runs a scenario with random choices of its own, since an earlier run may have left objects behind. */
function runFresh(environment: RunEnvironment, trial: Trial): Promise<ScenarioResult> {
  return runScenario({ ...environment, seed: freshSeed() }, trial, `m${started++}`)
}

/** Whether the servers of a host ended as asked, so that it can start others. */
function hasEnded(host: MutantHost): Promise<boolean> {
  return host.end().then(
    () => true,
    () => false,
  )
}

/** The servers of a build in one host process, and the scenarios that test them. */
export async function openServers(program: string): Promise<Subject> {
  const place = await openPlace()
  const env = { ASSAY_PROGRAM: program, ASSAY_MUTANT: 'none' }
  const { surroundings, read } = readTarget(place, 'mutated.target.yaml', env)
  let host = new MutantHost(FOLDER, [program, 'none'])
  /** The mutant with which the host was loaded. */
  let loaded = 'none'
  let words: readonly string[] = []
  const target = await onFreePorts(await read, surroundings, async (chosen) => {
    words = wordsOfServers(chosen)
    await host.start(words, undefined)
    return chosen
  })
  const { environment } = await openEnvironment(place, target)
  return {
    trials: planOf(target),
    async activate(mutant) {
      const atLoad = mutant?.atLoad === true ? mutant.active : 'none'
      const reusable = atLoad === 'none' && loaded === 'none' && (await hasEnded(host))
      if (!reusable) {
        host.close()
        host = new MutantHost(FOLDER, [program, atLoad])
        loaded = atLoad
      }
      if (atLoad === 'none') await host.activate(mutant?.active ?? null)
      await host.start(words, undefined)
    },
    run: (trial) => runFresh(environment, trial),
    async cover(trial) {
      const name = `${trial.scenario.id}@${trial.version}`
      await host.cover(name)
      const result = await runFresh(environment, trial)
      await host.cover(null)
      const { byScenario } = await host.coverage()
      return { result, reached: byScenario[name] ?? [] }
    },
    coverStart: () => host.coverage(),
    async close() {
      host.close()
      await place.close()
    },
  }
}

function coverageIn(folder: string): readonly string[] {
  const files = readdirSync(folder)
  const found = files.map((file): Coverage => JSON.parse(readFileSync(join(folder, file), 'utf8')))
  for (const file of files) rmSync(join(folder, file))
  return [...new Set(found.flatMap(({ atStart }) => atStart))]
}

/** The agents and the tenant of a build, which scenarios start as commands. */
export async function openCommands(program: string): Promise<Subject> {
  const place = await openPlace()
  const coverage = join(place.run.path, 'coverage')
  mkdirSync(coverage)
  /** `added`: what each command finds in its environment, and no command of another subject. */
  const open = async (mutant: string, added: Readonly<Record<string, string>> = {}) => {
    // An agent that finds the keys of an earlier one does not run the code of its first start.
    const run = createRunDirectory(place.out)
    const env = { ASSAY_PROGRAM: program, ASSAY_MUTANT: mutant }
    const target = await readTarget(place, 'mutated-commands.target.yaml', env).read
    const subjects = target.subjects.map((one) => ({ ...one, env: { ...one.env, ...added } }))
    const { environment, close } = await openEnvironment({ ...place, run }, { ...target, subjects })
    return { environment, close: () => close().finally(() => run.close()) }
  }
  let opened = await open('none')
  const { read } = readTarget(place, 'mutated-commands.target.yaml', {
    ASSAY_PROGRAM: program,
    ASSAY_MUTANT: 'none',
  })
  const activate = async (mutant: Activation | null) => {
    await opened.close()
    opened = await open(mutant?.active ?? 'none')
  }
  return {
    trials: planOf(await read),
    activate,
    run: (trial) => runFresh(opened.environment, trial),
    async cover(trial) {
      await opened.close()
      opened = await open('none', { ASSAY_COVERAGE: coverage })
      const result = await runFresh(opened.environment, trial)
      await opened.close()
      return { result, reached: coverageIn(coverage) }
    },
    coverStart: async () => ({ atLoad: [], atStart: [] }),
    async close() {
      await opened.close()
      await place.close()
    },
  }
}

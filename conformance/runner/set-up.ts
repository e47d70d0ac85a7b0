import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createManufacturer } from '../../simulator/swtpm/manufacturer.ts'
import type { CatalogueRow } from '../catalogue/requirement.ts'
import type { RunOptions } from '../options/cli-options.ts'
import { presentTargetFile } from '../options/default-target.ts'
import { makeHarnessAuthority } from '../peers/harness-authority.ts'
import { preflight } from '../preflight/preflight.ts'
import type { SetupStep } from '../report/result.ts'
import { Transcripts } from '../report/transcripts/transcripts.ts'
import type { Scenario } from '../scenario.ts'
import { chooseDialect } from '../target/choose-dialect.ts'
import type { Deployment } from '../target/deployment/deployment.ts'
import { startOnFreePorts } from '../target/deployment/start-on-free-ports.ts'
import type { AllowedDeviations } from '../target/deviations.ts'
import { loadProfile } from '../target/load-profile.ts'
import { loadTarget } from '../target/load-target.ts'
import { loadWaivers } from '../target/load-waivers.ts'
import type { RunDirectory } from '../target/processes/run-directory.ts'
import type { Target, VariantName } from '../target/target.ts'
import { checkSwtpm } from './check-tools.ts'
import { makeEnvironment, openMachineFactory } from './make-environment.ts'
import { preflightProbes } from './preflight-probes.ts'
import type { RunEnvironment } from './run-environment.ts'

/** A deployment that answers, and everything that scenarios need. */
export interface SetUp {
  readonly target: Target
  readonly deployment: Deployment
  readonly environment: RunEnvironment
  readonly deviations: AllowedDeviations
}

interface SetUpRequest {
  readonly options: Pick<
    RunOptions,
    'target' | 'waivers' | 'scenario' | 'transcripts' | 'recordedTpms'
  >
  readonly seed: string
  readonly run: RunDirectory
  readonly requirements: readonly CatalogueRow[]
  readonly scenarios: readonly Scenario[]
  /** The variants of the verifier that scenarios of the plan need. */
  readonly variants: readonly VariantName[]
  readonly onStep: (step: SetupStep) => void
  readonly interrupted: AbortSignal
}

/**
 * Reads the target, starts its roles, runs the preflight checks and makes the run environment. Throws a `SetupFault`.
 */
export async function setUp(request: SetUpRequest): Promise<SetUp> {
  const { options, run, onStep, requirements: rows, seed, interrupted } = request
  checkSwtpm(process.env.PATH)
  const manufacturer = await createManufacturer({ now: new Date() })
  const ekCa = join(run.path, 'ek-ca.pem')
  writeFileSync(ekCa, manufacturer.certificatePem)
  const authority = await makeHarnessAuthority(run.path)
  const surroundings = { run: run.path, ekCa, env: process.env, variants: request.variants }
  const read = await loadTarget(options.target, surroundings)
  onStep({ what: 'target', ok: true, detail: presentTargetFile(read), ms: 0 })
  const dialect = chooseDialect(read.dialect)
  const deviations = loadDeviations(request, read)
  const { target, deployment } = await startOnFreePorts(read, surroundings, run, onStep)
  const factory = await openMachineFactory(manufacturer, run)
  const parts = {
    ...{ target, deployment, run, factory, authority },
    ...{ dialect, deviations, rows, seed, interrupted },
    ...(options.scenario === undefined ? {} : { scenario: options.scenario }),
    ...(options.recordedTpms === undefined ? {} : { recordedTpms: options.recordedTpms }),
  }
  await preflight(target, deployment, { onStep, ...preflightProbes(parts) })
  const transcripts = new Transcripts(options.transcripts)
  return { target, deployment, environment: makeEnvironment({ ...parts, transcripts }), deviations }
}

function loadDeviations(
  { options, requirements, scenarios }: SetUpRequest,
  { waivers, profile }: Target,
): AllowedDeviations {
  const file = options.waivers ?? waivers
  return {
    waivers: file === undefined ? [] : loadWaivers(file, requirements, scenarios),
    ...(profile === undefined ? {} : { profile: loadProfile(profile, requirements) }),
    today: new Date().toISOString().slice(0, 10),
  }
}

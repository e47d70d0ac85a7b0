import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createManufacturer } from '../../simulator/swtpm/manufacturer.ts'
import type { CatalogueRow } from '../catalogue/requirement.ts'
import { makeHarnessAuthority } from '../peers/harness-authority.ts'
import { preflight } from '../preflight/preflight.ts'
import { chooseDialect } from '../target/choose-dialect.ts'
import type { Deployment } from '../target/deployment/deployment.ts'
import { startOnFreePorts } from '../target/deployment/start-on-free-ports.ts'
import { NO_DEVIATIONS } from '../target/deviations.ts'
import { loadTarget } from '../target/load-target.ts'
import type { RunDirectory } from '../target/processes/run-directory.ts'
import type { Target } from '../target/target.ts'
import { makeEnvironment, openMachineFactory } from './make-environment.ts'
import type { RunEnvironment } from './run-environment.ts'

/** A deployment that answers, with its run environment. */
export interface OpenDeployment {
  readonly target: Target
  readonly deployment: Deployment
  readonly environment: RunEnvironment
}

interface Surroundings {
  readonly run: RunDirectory
  readonly seed: string
  readonly interrupted: AbortSignal
  readonly rows: readonly CatalogueRow[]
  /** Receives a line for each step of the set-up. */
  readonly say: (line: string) => void
}

/** Starts the deployment of a target file for one task and checks it; the task itself starts agents. */
export async function openDeployment(
  file: string,
  surroundings: Surroundings,
): Promise<OpenDeployment> {
  const { run, seed, interrupted, rows, say } = surroundings
  const manufacturer = await createManufacturer({ now: new Date() })
  const ekCa = join(run.path, 'ek-ca.pem')
  writeFileSync(ekCa, manufacturer.certificatePem)
  const authority = await makeHarnessAuthority(run.path)
  const placed = { run: run.path, ekCa, env: process.env }
  const read = await loadTarget(file, placed)
  const dialect = chooseDialect(read.dialect)
  const { target, deployment } = await startOnFreePorts(read, placed, run, (step) =>
    say(`  ${step.what}  ${step.detail}`),
  )
  await preflight(target, deployment)
  const factory = await openMachineFactory(manufacturer, run)
  const parts = { target, deployment, run, factory, authority, dialect, seed, interrupted }
  return {
    target,
    deployment,
    environment: makeEnvironment({ ...parts, deviations: NO_DEVIATIONS, rows }),
  }
}

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createManufacturer } from '../../simulator/swtpm/manufacturer.ts'
import type { CatalogueRow } from '../catalogue/requirement.ts'
import { makeJudgeAuthority } from '../peers/judge-authority.ts'
import { preflight } from '../preflight/preflight.ts'
import { chooseDialect } from '../target/choose-dialect.ts'
import type { Deployment } from '../target/deployment/deployment.ts'
import { startOnFreePorts } from '../target/deployment/start-on-free-ports.ts'
import { NO_EXCUSES } from '../target/excuses.ts'
import { loadTarget } from '../target/load-target.ts'
import type { RunDirectory } from '../target/processes/run-directory.ts'
import type { Target } from '../target/target.ts'
import type { Bench } from './bench.ts'
import { makeBench, openWorkshop } from './make-bench.ts'

/** A deployment that answers, and a bench before it. */
export interface LaidOut {
  readonly target: Target
  readonly deployment: Deployment
  readonly bench: Bench
}

export interface Surroundings {
  readonly run: RunDirectory
  readonly seed: string
  readonly interrupted: AbortSignal
  readonly rows: readonly CatalogueRow[]
  /** Told what was started. */
  readonly say: (line: string) => void
}

/** Starts the deployment of a target file for one errand, and looks it over; agents are the errand's to start. */
export async function layOut(file: string, surroundings: Surroundings): Promise<LaidOut> {
  const { run, seed, interrupted, rows, say } = surroundings
  const manufacturer = await createManufacturer({ now: new Date() })
  const ekCa = join(run.path, 'ek-ca.pem')
  writeFileSync(ekCa, manufacturer.certificatePem)
  const authority = await makeJudgeAuthority(run.path)
  const placed = { run: run.path, ekCa, env: process.env }
  const read = await loadTarget(file, placed)
  const dialect = chooseDialect(read.dialect)
  const { target, deployment } = await startOnFreePorts(read, placed, run)
  for (const { what, detail } of deployment.steps) say(`  ${what}  ${detail}`)
  await preflight(target, deployment)
  const workshop = await openWorkshop(manufacturer, run)
  const parts = { target, deployment, run, workshop, authority, dialect, seed, interrupted }
  return { target, deployment, bench: makeBench({ ...parts, excuses: NO_EXCUSES, rows }) }
}

import { join } from 'node:path'
import { SetupFault } from '../../conformance/input/fault.ts'
import { inRunDirectory } from '../../conformance/runner/in-run-directory.ts'
import { type OpenDeployment, openDeployment } from '../../conformance/runner/open-deployment.ts'
import { loadTarget } from '../../conformance/target/load-target.ts'
import type { RunDirectory } from '../../conformance/target/processes/run-directory.ts'
import { sweepStaleRuns } from '../../conformance/target/processes/sweep-stale-runs.ts'
import { openRoutes } from './open-routes.ts'
import { presentNotTaken } from './present.ts'
import { isTaken, type Route } from './routes/route.ts'
import { type Job, replayOne, runCampaigns } from './run-campaigns.ts'
import { type FuzzSession, openSession } from './session.ts'

/** The routes that take honest evidence; with none of them nothing can be learnt. */
async function openTakenRoutes(
  session: FuzzSession,
  { kind, say }: Job,
): Promise<readonly Route[]> {
  const routes = await openRoutes(session, kind)
  for (const route of routes)
    say(isTaken(route) ? `  ${route.name}  takes honest evidence` : presentNotTaken(route))
  const taken = routes.filter(isTaken)
  if (taken.length > 0) return taken
  throw new SetupFault(
    'no way of this deployment takes honest evidence, so that no refusal would mean anything',
    { next: 'assay doctor looks the deployment over' },
  )
}

async function fuzzOrReplay(
  job: Job,
  session: FuzzSession,
  ready: OpenDeployment,
): Promise<number> {
  const { finding, say } = job
  const routes = await openTakenRoutes(session, job)
  if (finding !== undefined) return replayOne(finding, session, routes, say)
  say('')
  const found = await runCampaigns(job, session, routes)
  if (session.interrupted.aborted) return 2
  const died = ready.deployment.died()
  if (died !== undefined) say(`\n${died}`)
  return found > 0 || died !== undefined ? 1 : 0
}

/** Does the job at one deployment, and undoes whatever it made there, however it ends. */
async function atDeployment(
  job: Job,
  run: RunDirectory,
  interrupted: AbortSignal,
): Promise<number> {
  const { options, seed, target, say } = job
  const ready = await openDeployment(target, { run, seed, interrupted, rows: [], say })
  const session = openSession(
    ready.environment,
    options.rate,
    ready.target.safety.requestsPerSecond,
  )
  try {
    return await fuzzOrReplay(job, session, ready)
  } finally {
    for (const trouble of await session.close()) say(`  not undone: ${trouble}`)
  }
}

async function isDryRun({ options, target }: Job): Promise<boolean> {
  const nowhere = join(options.out, 'runs', 'none')
  const { safety } = await loadTarget(target, { run: nowhere, ekCa: nowhere, env: process.env })
  return safety.dryRun
}

/** Fuzzes the deployment of a target file; returns the exit code. */
export async function fuzzDeployment(job: Job): Promise<number> {
  const { options, seed, kind, target, say } = job
  say(`seed ${seed}  ${kind} on the wire, target ${target}`)
  if (await isDryRun(job)) {
    say('nothing was sent (safety.dry_run of the target file)')
    return 0
  }
  for (const line of await sweepStaleRuns(options.out)) say(line)
  return inRunDirectory(options.out, (run, interrupted) => atDeployment(job, run, interrupted))
}

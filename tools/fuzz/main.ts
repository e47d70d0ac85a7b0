import { join } from 'node:path'
import { freshSeed } from '../../conformance/attempt/random.ts'
import { SetupFault } from '../../conformance/input/fault.ts'
import { inRunDirectory } from '../../conformance/runner/in-run-directory.ts'
import { type OpenDeployment, openDeployment } from '../../conformance/runner/open-deployment.ts'
import { loadTarget } from '../../conformance/target/load-target.ts'
import type { RunDirectory } from '../../conformance/target/processes/run-directory.ts'
import { sweepStaleRuns } from '../../conformance/target/processes/sweep-stale-runs.ts'
import { Campaign } from './campaign.ts'
import type { Finding } from './findings/finding.ts'
import { replay } from './findings/replay.ts'
import type { Tally } from './findings/tally.ts'
import { loadFinding, writeFindings } from './findings/write-findings.ts'
import { type FuzzOptions, parseFuzzOptions } from './fuzz-options.ts'
import type { FuzzKind } from './kinds.ts'
import { openRoutes } from './open-routes.ts'
import { presentFindings, presentNotTaken, presentProgress, presentTallies } from './present.ts'
import { openRoom, type Room } from './room.ts'
import { isTaken, type Route } from './routes/route.ts'

type Stream = Pick<NodeJS.WritableStream, 'write'>

/** One errand of the command: what was asked for, and what its parts share. */
interface Task {
  readonly options: FuzzOptions
  readonly kind: FuzzKind
  readonly seed: string
  readonly finding: Finding | undefined
  readonly say: (line: string) => void
}

const PROGRESS_EACH_MS = 5000

/** The ways that take honest evidence; with none of them nothing can be learnt. */
async function openWays(room: Room, kind: FuzzKind, say: Task['say']): Promise<readonly Route[]> {
  const routes = await openRoutes(room, kind)
  for (const route of routes)
    say(isTaken(route) ? `  ${route.name}  takes honest evidence` : presentNotTaken(route))
  const taken = routes.filter(isTaken)
  if (taken.length > 0) return taken
  throw new SetupFault(
    'no way of this deployment takes honest evidence, so that no refusal would mean anything',
    {
      next: 'assay doctor looks the deployment over',
    },
  )
}

/** Progress now and then: a line per run would be none to read. */
function progressOf(wanted: number, now: () => number, say: Task['say']): (tally: Tally) => void {
  const began = now()
  let said = began
  return (tally) => {
    if (now() - said < PROGRESS_EACH_MS) return
    said = now()
    say(presentProgress(tally, wanted, (tally.runs * 1000) / (now() - began)))
  }
}

/** Gives each way its part of runs and seconds, one after the other; `begun` takes each campaign before its first request. */
async function fuzzAll(
  task: Task,
  room: Room,
  routes: readonly Route[],
  begun: Campaign[],
): Promise<void> {
  const { options, kind, seed, say } = task
  const shares = routes.reduce((sum, { share }) => sum + share, 0)
  for (const route of routes) {
    const part = route.share / shares
    const limits = { runs: Math.ceil(options.runs * part), seconds: options.seconds * part }
    const campaign = new Campaign(room, route, {
      ...{ kind, seed, limits, target: options.target },
      onRun: progressOf(limits.runs, room.environment.now, say),
      onFinding: ({ severity, sentence }) => say(`  ${severity}  ${sentence}`),
    })
    begun.push(campaign)
    await campaign.run()
  }
}

/** Writes what was found, tells of it, and returns how much it is. */
function keepFindings({ options, say }: Task, campaigns: readonly Campaign[]): number {
  const found = campaigns.flatMap(({ findings }) => findings)
  const written = writeFindings(found, options.out)
  say('')
  say(presentTallies(campaigns.map(({ tally }) => tally)))
  for (const line of presentFindings(written, options.target)) say(line)
  return written.length
}

/** Fuzzes every way. What was found is kept also where a fault, or the person, ends it before its time. */
async function fuzzAndKeep(task: Task, room: Room, routes: readonly Route[]): Promise<number> {
  const campaigns: Campaign[] = []
  let whole = false
  try {
    await fuzzAll(task, room, routes, campaigns)
    whole = !room.environment.interrupted.aborted
  } finally {
    const found = campaigns.some(({ findings }) => findings.length > 0)
    if (!whole && found) keepFindings(task, campaigns)
  }
  return whole ? keepFindings(task, campaigns) : 0
}

async function fuzzOrReplay(task: Task, room: Room, ready: OpenDeployment): Promise<number> {
  const { kind, finding, say } = task
  const routes = await openWays(room, kind, say)
  if (finding !== undefined) return replayOne(finding, room, routes, say)
  say('')
  const found = await fuzzAndKeep(task, room, routes)
  if (room.environment.interrupted.aborted) return 2
  const casualty = ready.deployment.casualty()
  if (casualty !== undefined) say(`\n${casualty}`)
  return found > 0 || casualty !== undefined ? 1 : 0
}

async function replayOne(
  finding: Finding,
  room: Room,
  routes: readonly Route[],
  say: Task['say'],
): Promise<number> {
  const route = routes.find(({ name }) => name === finding.route)
  if (route === undefined) {
    throw new SetupFault(
      `this deployment does not take ${finding.route}, on which the finding was made`,
    )
  }
  const { again, line } = await replay(room, route, finding)
  say(`${again ? 'seen again' : 'not seen again'}: ${finding.severity}, ${finding.sentence}`)
  say(`  now  ${line}`)
  return again ? 1 : 0
}

/** Does the errand at one deployment, and undoes whatever it made there, however it ends. */
async function atDeployment(
  task: Task,
  run: RunDirectory,
  interrupted: AbortSignal,
): Promise<number> {
  const { options, seed, say } = task
  const ready = await openDeployment(options.target, { run, seed, interrupted, rows: [], say })
  const room = openRoom(ready.environment, options.rate, ready.target.safety.requestsPerSecond)
  try {
    return await fuzzOrReplay(task, room, ready)
  } finally {
    for (const trouble of await room.close()) say(`  not undone: ${trouble}`)
  }
}

async function isDryRun(options: FuzzOptions): Promise<boolean> {
  const nowhere = join(options.out, 'runs', 'none')
  const { safety } = await loadTarget(options.target, {
    run: nowhere,
    ekCa: nowhere,
    env: process.env,
  })
  return safety.dryRun
}

function kindOf(options: FuzzOptions, finding: Finding | undefined): FuzzKind {
  const kind = finding?.kind ?? options.kind
  if (kind !== undefined) return kind
  throw new SetupFault('what is to be bent?', { next: 'assay fuzz --help lists the kinds' })
}

/**
 * `assay fuzz KIND --target FILE`; `argv[0]` is the verb: sends bent evidence to a deployment and judges what it answers.
 * Returns 0 when nothing was found, 1 with findings; what keeps it from running is a {@link SetupFault}.
 */
export async function main(
  [, ...words]: readonly string[],
  out: Stream = process.stdout,
): Promise<number> {
  const options = parseFuzzOptions(words)
  if (options === undefined) return 0
  const finding = options.replay === undefined ? undefined : loadFinding(options.replay)
  const seed = options.seed ?? finding?.seed ?? freshSeed()
  const say = (line: string): void => void out.write(`${line}\n`)
  const task = { options, kind: kindOf(options, finding), seed, finding, say }
  say(`seed ${seed}  ${task.kind} on the wire, target ${options.target}`)
  if (await isDryRun(options)) {
    say('nothing was sent (safety.dry_run of the target file)')
    return 0
  }
  for (const line of await sweepStaleRuns(options.out)) say(line)
  return inRunDirectory(options.out, (run, interrupted) => atDeployment(task, run, interrupted))
}

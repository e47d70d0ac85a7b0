import { SetupFault } from '../../conformance/input/fault.ts'
import type { Console } from '../../conformance/report/console/open-console.ts'
import { Campaign } from './campaign.ts'
import type { CampaignContext } from './campaign-context.ts'
import type { Finding } from './findings/finding.ts'
import { replay } from './findings/replay.ts'
import { writeFindings } from './findings/write-findings.ts'
import type { FuzzOptions } from './fuzz-options.ts'
import type { FuzzKind } from './kinds.ts'
import { presentFindings, presentProgress, presentTallies } from './present.ts'
import type { Route } from './routes/route.ts'

/** One job of the command: what was asked for, and what its parts share. */
export interface Job extends Pick<Console, 'say' | 'does' | 'interrupted'> {
  readonly options: FuzzOptions
  readonly kind: FuzzKind
  readonly seed: string
  /** The finding that is replayed. */
  readonly finding: Finding | undefined
  /** What is fuzzed, as findings name it: a target file, or a command. */
  readonly target: string
  /** The options that aim `assay fuzz` at it again. */
  readonly again: string
}

/** Gives each route its part of runs and seconds, one after the other; `begun` takes each campaign before its first request. */
async function fuzzAll(
  job: Job,
  context: CampaignContext,
  routes: readonly Route[],
  begun: Campaign[],
): Promise<void> {
  const { options, kind, seed, target, say, does } = job
  const shares = routes.reduce((sum, { share }) => sum + share, 0)
  for (const route of routes) {
    const part = route.share / shares
    const limits = { runs: Math.ceil(options.runs * part), seconds: options.seconds * part }
    const campaign = new Campaign(context, route, {
      ...{ kind, seed, limits, target },
      onFinding: ({ severity, sentence }) => say(`  ${severity}  ${sentence}`),
    })
    begun.push(campaign)
    does((ms) => presentProgress(campaign.tally, limits, ms))
    await campaign.run()
  }
}

/** Writes what was found, tells of it, and returns how much it is. */
function keepFindings({ options, again, say }: Job, campaigns: readonly Campaign[]): number {
  const found = campaigns.flatMap(({ findings }) => findings)
  const written = writeFindings(found, options.out)
  say('')
  say(presentTallies(campaigns.map(({ tally }) => tally)))
  for (const line of presentFindings(written, again)) say(line)
  return written.length
}

/**
 * Fuzzes every route, and returns the number of findings. What was found is kept also where a fault, or the person, ends it
 * before its time.
 */
export async function runCampaigns(
  job: Job,
  context: CampaignContext,
  routes: readonly Route[],
): Promise<number> {
  const campaigns: Campaign[] = []
  context.interrupted.addEventListener('abort', job.interrupted, { once: true })
  let whole = false
  try {
    await fuzzAll(job, context, routes, campaigns)
    whole = !context.interrupted.aborted
  } finally {
    job.does(() => '')
    const found = campaigns.some(({ findings }) => findings.length > 0)
    if (!whole && found) keepFindings(job, campaigns)
  }
  return whole ? keepFindings(job, campaigns) : 0
}

/** Sends the inputs of a finding again; the exit code is 1 if it is seen again. */
export async function replayOne(
  finding: Finding,
  context: CampaignContext,
  routes: readonly Route[],
  say: Job['say'],
): Promise<number> {
  const route = routes.find(({ name }) => name === finding.route)
  if (route === undefined)
    throw new SetupFault(`${finding.route}, on which the finding was made, is not taken here`)
  const { again, line } = await replay(context, route, finding)
  say(`${again ? 'seen again' : 'not seen again'}: ${finding.severity}, ${finding.sentence}`)
  say(`  now  ${line}`)
  return again ? 1 : 0
}

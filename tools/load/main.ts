import { loadavg } from 'node:os'
import type { Place } from '../../conformance/client/idle-peers.ts'
import { SetupFault } from '../../conformance/input/fault.ts'
import { visible } from '../../conformance/report/visible.ts'
import { type Comparison, compareWithPeers } from './compare-with-peers.ts'
import { inRun } from './in-run.ts'
import { type LoadOptions, parseLoadOptions } from './load-options.ts'
import { checkOpenFiles } from './open-files.ts'
import { hostAgents } from './polls/agent-host.ts'
import { loadPolls } from './polls/load-polls.ts'
import { presentComparison, presentVerdict } from './present-load.ts'

type Stream = Pick<NodeJS.WritableStream, 'write'>
type Say = (line: string) => void

/** Kind of load -> a function that takes its arguments and returns its exit code. */
const KINDS: ReadonlyMap<string, (words: readonly string[], say: Say) => Promise<number>> = new Map(
  [
    ['idle', loadIdle],
    ['polls', loadPolls],
    ['agents', hostAgents],
  ],
)

const USAGE = `usage: assay load <kind> [options]

  idle   opens idle connections, and compares another client's latency with and without them
  polls  lets a verifier poll a thousand pull agents, and measures polls, CPU time and memory

  assay load <kind> --help lists the options`

/**
 * `assay load idle` holds connections open and measures the latency of another client; `assay load polls` lets a verifier
 * poll a thousand pull agents. `argv[0]` is the verb. Returns 0 if the results are within the limits, 1 if not.
 */
export async function main(
  [, kind = '', ...words]: readonly string[],
  out: Stream = process.stdout,
): Promise<number> {
  const say = (line: string) => void out.write(`${visible(line)}\n`)
  if (kind === '--help') {
    say(USAGE)
    return 0
  }
  const load = KINDS.get(kind)
  if (load !== undefined) return load(words, say)
  throw new SetupFault(`missing or unknown kind of load "${kind}"`, {
    next: 'run assay load idle, or assay load polls',
  })
}

/** Measures whether idle connections slow another client down. */
async function loadIdle(words: readonly string[], say: Say): Promise<number> {
  const options = parseLoadOptions(words)
  if (options === undefined) return 0
  checkOpenFiles(options.idle + options.halves)
  return inRun(options.target, async ({ places }) => {
    say(`load average of this machine (1 min): ${loadavg()[0]?.toFixed(1)}`)
    return compareAll(places, options, say)
  })
}

async function compareAll(
  places: readonly (readonly [string, Place])[],
  options: LoadOptions,
  say: Say,
): Promise<number> {
  const ratios: number[] = []
  for (const [role, place] of places) {
    const comparisons: Comparison[] = []
    while (comparisons.length < options.rounds) {
      const comparison = await compareWithPeers(place, options)
      comparisons.push(comparison)
      say(presentComparison(role, options, comparison))
    }
    const verdict = presentVerdict(role, comparisons, options.limit)
    say(verdict.line)
    ratios.push(verdict.ratio)
  }
  return ratios.every((ratio) => ratio <= options.limit) ? 0 : 1
}

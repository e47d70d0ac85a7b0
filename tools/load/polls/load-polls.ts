import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { freshSeed, seededRandom } from '../../../conformance/attempt/random.ts'
import { SetupFault } from '../../../conformance/input/fault.ts'
import { inRun, type LoadedRun } from '../in-run.ts'
import { checkOpenFiles } from '../open-files.ts'
import { addAgents } from './add-agents.ts'
import { type AgentHosts, openAgentHosts } from './agent-hosts.ts'
import { countPolls } from './poll-gaps.ts'
import { type PollsOptions, parsePollsOptions } from './polls-options.ts'
import { presentPolls, type Watched } from './present-polls.ts'
import { primitiveMs } from './primitive.ts'
import { costOf, slopePerMinute } from './process-cost.ts'

/** Looks at the memory of the verifier in the time that it is watched. */
const LOOKS = 60
const SETTLED_MS = 120_000

/**
 * `assay load polls --target FILE`: what a verifier pays for polling so many agents at the quote interval of its target
 * file. Returns 0 when no interval passed without a poll, every agent passed, and its memory did not grow; 1 otherwise.
 */
export async function loadPolls(
  words: readonly string[],
  say: (line: string) => void,
): Promise<number> {
  const options = parsePollsOptions(words)
  if (options === undefined) return 0
  checkOpenFiles(options.agents)
  return inRun(options.target, (loaded) => withAgents(loaded, options, say))
}

async function withAgents(
  loaded: LoadedRun,
  options: PollsOptions,
  say: (line: string) => void,
): Promise<number> {
  const { target, run } = loaded
  const random = seededRandom(freshSeed(), 'load polls')
  const agentIds = Array.from({ length: options.agents }, () => random.uuid())
  say(`load of this machine over the last minute: ${loadavg()[0]?.toFixed(1)}`)
  const hosts = await openAgentHosts(agentIds, readFileSync(target.tls.ca, 'utf8'), run)
  try {
    const added = await addAgents(loaded, hosts.agents)
    say(`${options.agents} agents added, ${added.msPerAgent.toFixed(1)} ms each`)
    const watched = await watch(loaded, options, hosts)
    const passed = await added.countPassed()
    const { lines, isGood } = presentPolls({ ...watched, passed }, options)
    for (const line of lines) say(line)
    return isGood ? 0 : 1
  } finally {
    await hosts.close()
  }
}

/** Lets the verifier poll, and looks at it from time to time. */
async function watch(
  { target, deployment }: LoadedRun,
  { seconds }: PollsOptions,
  hosts: AgentHosts,
): Promise<Watched> {
  const pid = deployment.pids.verifier
  if (pid === undefined)
    throw new SetupFault(`${target.file} does not start the verifier, so its cost cannot be seen`, {
      next: 'give roles.verifier a start in the target file',
    })
  await settled(hosts, target.time.quoteIntervalMs)
  const before = primitiveMs()
  const [from, first] = [Date.now(), costOf(pid)]
  const looks: { at: number; rss: number }[] = []
  while (Date.now() < from + seconds * 1000) {
    await pause((seconds * 1000) / LOOKS)
    looks.push({ at: Date.now(), rss: costOf(pid).rss })
  }
  const [to, last] = [Date.now(), costOf(pid)]
  // What a verifier keeps of each agent it has soon; what still grows in the second half grows for ever.
  const late = looks.slice(looks.length / 2)
  return {
    ...countPolls(await hosts.times(), [from, to], target.time.quoteIntervalMs),
    ms: to - from,
    cpuMs: last.cpuMs - first.cpuMs,
    primitiveMs: (before + primitiveMs()) / 2,
    rss: last.rss,
    growth: slopePerMinute(
      late.map(({ at }) => at),
      late.map(({ rss }) => rss),
    ),
    intervalMs: target.time.quoteIntervalMs,
  }
}

/** Lets every agent be asked a second time: what a verifier does once, such as starting threads, is not watched. */
async function settled(hosts: AgentHosts, intervalMs: number): Promise<void> {
  for (const deadline = Date.now() + SETTLED_MS; Date.now() < deadline; ) {
    await pause(intervalMs / 2)
    if ((await hosts.times()).every((own) => own.length >= 2)) return
  }
  throw new SetupFault(`not every agent was asked twice within ${SETTLED_MS / 1000} s`, {
    next: 'see in the log of the verifier whether it asks agents, or take fewer with --agents',
  })
}

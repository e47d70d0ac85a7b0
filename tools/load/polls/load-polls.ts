import { generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto'
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
import { type Measured, presentPolls } from './present-polls.ts'
import { costOf, slopePerMinute } from './process-cost.ts'

const VERIFICATIONS = 2000

/** CPU time in milliseconds of one P-256 signature verification in this process, under the current load. */
function primitiveMs(): number {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const message = randomBytes(145)
  const signature = sign('sha256', message, privateKey)
  const began = process.cpuUsage()
  for (let count = 0; count < VERIFICATIONS; count++)
    verify('sha256', message, publicKey, signature)
  const { user, system } = process.cpuUsage(began)
  return (user + system) / 1000 / VERIFICATIONS
}

/** Number of memory samples during the measurement. */
const SAMPLES = 60
const SETTLED_MS = 120_000

/**
 * `assay load polls --target FILE`: measures the cost of polling agents at the quote interval of the target file.
 * Returns 0 if no interval passed without a poll, every agent passed, and the verifier's memory did not grow; 1 otherwise.
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
  say(`load average of this machine (1 min): ${loadavg()[0]?.toFixed(1)}`)
  const hosts = await openAgentHosts(agentIds, readFileSync(target.tls.ca, 'utf8'), run)
  try {
    const added = await addAgents(loaded, hosts.agents)
    say(`${options.agents} agents added, ${added.msPerAgent.toFixed(1)} ms each`)
    const measured = await measure(loaded, options, hosts)
    const passed = await added.countPassed()
    const { lines, isGood } = presentPolls({ ...measured, passed }, options)
    for (const line of lines) say(line)
    return isGood ? 0 : 1
  } finally {
    await hosts.close()
  }
}

/** Measures polls, CPU time and memory while the verifier polls. */
async function measure(
  { target, deployment }: LoadedRun,
  { seconds }: PollsOptions,
  hosts: AgentHosts,
): Promise<Measured> {
  const pid = deployment.pids.verifier
  if (pid === undefined)
    throw new SetupFault(`cannot measure the verifier: ${target.file} does not start it`, {
      next: 'add roles.verifier.start to the target file',
    })
  await settled(hosts, target.time.quoteIntervalMs)
  const before = primitiveMs()
  const [from, first] = [Date.now(), costOf(pid)]
  const samples: { at: number; rss: number }[] = []
  while (Date.now() < from + seconds * 1000) {
    await pause((seconds * 1000) / SAMPLES)
    samples.push({ at: Date.now(), rss: costOf(pid).rss })
  }
  const [to, last] = [Date.now(), costOf(pid)]
  // The memory per agent is allocated early; growth in the second half indicates a leak.
  const late = samples.slice(samples.length / 2)
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

/** Waits until every agent was polled twice, so that one-time costs such as starting threads are not measured. */
async function settled(hosts: AgentHosts, intervalMs: number): Promise<void> {
  for (const deadline = Date.now() + SETTLED_MS; Date.now() < deadline; ) {
    await pause(intervalMs / 2)
    if ((await hosts.times()).every((own) => own.length >= 2)) return
  }
  throw new SetupFault(`not every agent was polled twice within ${SETTLED_MS / 1000} s`, {
    next: 'check in its log that the verifier polls, or use fewer agents with --agents',
  })
}

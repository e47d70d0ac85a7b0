import { existsSync, readFileSync } from 'node:fs'
import { until } from '../../conformance/attempt/poll.ts'
import type { RunningCommand } from '../../conformance/target/processes/spawn-recorded.ts'
import { administratorOf, memberOf } from './administrator.ts'
import { Disagreement } from './disagreement.ts'
import type { MachineWithLogs } from './environment.ts'

const WITHIN_MS = 30_000
const EVERY_MS = 250

/** Values of `operational_state`. */
const GET_QUOTE = 3
const INVALID_QUOTE = 9
export const TENANT_FAILED = 10

/** An agent at a verifier. */
export interface AgentAt {
  /** State directory of the verifier, with its CA. */
  readonly directory: string
  readonly port: number
  readonly id: string
}

/** Waits until a member of a record at a verifier is as expected, and returns it. */
async function awaitMatch(
  { directory, port }: Pick<AgentAt, 'directory' | 'port'>,
  { path, names }: { readonly path: string; readonly names: readonly string[] },
  expected: string,
  matches: (value: unknown) => boolean,
): Promise<unknown> {
  const ask = administratorOf(directory)
  let seen: unknown
  const isSo = async () => {
    const { body } = await ask(port, path)
    seen = memberOf(body, ...names)
    return matches(seen)
  }
  if (await until(isSo, { withinMs: WITHIN_MS, everyMs: EVERY_MS })) return seen
  throw new Disagreement(`${names.at(-1)} at the verifier`, expected, String(seen))
}

/** A member of the verifier's record of an agent. */
function inRecord({ id }: AgentAt, member: string) {
  return { path: `/v2.5/agents/${id}`, names: ['results', member] }
}

/** Waits until a member of the verifier's record of an agent has the expected value. */
export function awaitMember(agent: AgentAt, member: string, expected: unknown): Promise<unknown> {
  return awaitMatch(agent, inRecord(agent, member), String(expected), (seen) => seen === expected)
}

/** Waits until the verifier has recorded an event of a kind as the reason for which an agent failed. */
export function awaitReason(agent: AgentAt, kind: 'ima' | 'measured_boot'): Promise<unknown> {
  const event = inRecord(agent, 'last_event_id')
  return awaitMatch(agent, event, `${kind}.…`, (seen) => String(seen).startsWith(`${kind}.`))
}

/** How a verifier shows that an agent passes, that it fails, and, if it does, that an unknown file is the reason. */
interface Mode {
  readonly passing: readonly [member: string, value: unknown]
  readonly failing: readonly [member: string, value: unknown]
  awaitUnknownFile?(agent: AgentAt): Promise<unknown>
}

export const PULL: Mode = {
  passing: ['operational_state', GET_QUOTE],
  failing: ['operational_state', INVALID_QUOTE],
  awaitUnknownFile: (agent) => awaitReason(agent, 'ima'),
}

const VIOLATION = 'policy_violation'

export const PUSH: Mode = {
  passing: ['attestation_status', 'PASS'],
  failing: ['attestation_status', 'FAIL'],
}

/** A verifier of push agents whose attestations have a `failure_reason`. */
export const PUSH_WITH_REASON: Mode = {
  ...PUSH,
  awaitUnknownFile(agent) {
    const path = `/v3.0/agents/${agent.id}/attestations/latest`
    const names = ['data', 'attributes', 'failure_reason']
    return awaitMatch(agent, { path, names }, VIOLATION, (seen) => seen === VIOLATION)
  },
}

/** Number of attestations that show that a verifier goes on with an agent. */
const ENOUGH = 2

/** Waits until the verifier has accepted this many attestations of an agent, by its own count, and returns the count. */
async function awaitCount(agent: AgentAt, least: number): Promise<number> {
  const record = inRecord(agent, 'attestation_count')
  return Number(
    await awaitMatch(agent, record, `at least ${least}`, (count) => Number(count) >= least),
  )
}

/** Waits until the verifier has accepted attestations of an agent that was added a moment ago. */
export async function expectAttested(agent: AgentAt, { passing }: Mode): Promise<void> {
  // A polling verifier shows its first state before it has a quote.
  await awaitCount(agent, ENOUGH)
  await awaitMember(agent, ...passing)
}

/**
 * The agent passes; it fails once a file is measured that its policy does not name, for that reason; and it passes once
 * `recover` has given the verifier a policy that names the file.
 */
export async function expectCycle(
  { machine, logs, writePolicy }: MachineWithLogs,
  agent: AgentAt,
  mode: Mode,
  recover: (policy: string) => Promise<unknown>,
): Promise<void> {
  await expectAttested(agent, mode)
  await machine.play('measure /usr/bin/unknown')
  logs.sync()
  await awaitMember(agent, ...mode.failing)
  await mode.awaitUnknownFile?.(agent)
  await recover(writePolicy('recovered.json'))
  await expectAttested(agent, mode)
}

/** Runs a tenant with these words. */
export type Tenant = (...words: readonly string[]) => Promise<unknown>

/**
 * A registered push agent is added, attests, fails, recovers and is deleted by a tenant. One that the verifier locks out
 * is silent for a while before its deletion. Returns what was done.
 */
export async function expectPushLife(
  on: MachineWithLogs,
  agent: AgentAt,
  { locksOut, ...mode }: Mode & { readonly locksOut?: RunningCommand },
  tenant: Tenant,
): Promise<string> {
  const run = (command: string, ...words: readonly string[]) =>
    tenant('-c', command, '--push-model', '-u', agent.id, ...words)
  await run('add', '--runtime-policy', on.policy)
  await expectCycle(on, agent, mode, (policy) => run('update', '--runtime-policy', policy))
  if (locksOut !== undefined) await expectLockout(agent, locksOut, () => run('reactivate'))
  await run('delete')
  await expectGone(agent)
  const locked = locksOut === undefined ? '' : '; locked out after a silence, reactivated, attested'
  return `added; attested; failed after an unknown file; updated and attested${locked}; deleted`
}

const REFUSED = /status code: 403\b/

/** Stops the process of a push agent until its verifier has locked it out; it attests again once it is reactivated. */
async function expectLockout(
  agent: AgentAt,
  { pid, logs }: RunningCommand,
  reactivate: () => Promise<unknown>,
): Promise<void> {
  process.kill(pid, 'SIGSTOP')
  const before = readFileSync(logs.err, 'utf8').length
  try {
    await awaitMember(agent, ...PUSH.failing)
  } finally {
    process.kill(pid, 'SIGCONT')
  }
  const isRefused = () => REFUSED.test(readFileSync(logs.err, 'utf8').slice(before))
  await until(isRefused, { withinMs: WITHIN_MS, everyMs: EVERY_MS })
  if (!isRefused())
    throw new Disagreement('a silent agent', 'locked out: it logs status code 403', 'it does not')
  const count = await awaitCount(agent, 0)
  await reactivate()
  await awaitCount(agent, count + 1)
  await awaitMember(agent, ...PUSH.passing)
}

/** Waits until a file exists that contains a text. */
export async function expectFile(path: string, text: string): Promise<void> {
  const content = () => (existsSync(path) ? readFileSync(path, 'utf8') : 'no file')
  await until(() => content().includes(text), { withinMs: WITHIN_MS, everyMs: EVERY_MS })
  if (!content().includes(text)) throw new Disagreement(path, text, content())
}

/** Throws a {@link Disagreement} unless the server returns 404 for the agent to its administrator. */
export async function expectGone({ directory, port, id }: AgentAt): Promise<void> {
  const { status } = await administratorOf(directory)(port, `/v2.5/agents/${id}`)
  if (status !== 404) throw new Disagreement('the deleted agent', 'HTTP 404', `HTTP ${status}`)
}

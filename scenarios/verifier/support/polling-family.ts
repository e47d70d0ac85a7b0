import { type Reply, results } from '../../../conformance/attempt/reply.ts'
import {
  countOf,
  type PullAgent,
  type PullAgentOptions,
} from '../../../conformance/client/agents/pull-agent.ts'
import type { Context, Scenario } from '../../../conformance/scenario.ts'
import {
  ADDED_WITH,
  agentOf,
  GROUPS,
  loadPolling,
  type PollingEnd,
  type PollingGroup,
  type PollingRow,
} from './load-polling.ts'

const MATRIX = 'polling'
const GROWS = 'VER-STATUS-COUNT-GROWS'
const STATUS = 'VER-STATUS-ATTESTATION-MODE'
const FRESH = 'VER-PULL-FRESH-NONCE'
const NOT_SILENT = 'VER-PULL-NOT-SILENT'
const OTHERS = 'VER-PULL-OTHERS-ASKED'

const SAYS: Readonly<Record<PollingGroup, string>> = {
  connection:
    'The verifier does not pass a pull agent with a faulty connection, and still polls others',
  answer: 'The verifier does not pass a pull agent with an invalid answer',
  quote: 'The verifier does not pass a pull agent with an invalid quote',
  logs: 'The verifier passes a pull agent only with logs that match its PCRs',
  version: 'The verifier answers a pull agent that changes its version',
}

const TABLE = loadPolling()

/**
 * Returns one scenario for each group of the matrix `polling`: one agent per row, which misbehaves in one way after
 * a good poll, and one agent that never does.
 */
export function pollingFamily(place: string, twin: string): readonly Scenario[] {
  return GROUPS.map((group) => ({
    id: `${place}.${group}`,
    title: SAYS[group],
    requirements: requirementsOf(group),
    role: 'verifier',
    seconds: 4,
    since: '2.3',
    until: '2.5',
    perMajor: true,
    needs: group === 'logs' ? ['pull_mode', 'ima_log'] : ['pull_mode'],
    variantOf: twin,
    polled: 1 + TABLE[group].length,
    matrix: { name: MATRIX, cells: () => TABLE[group].map(({ does }) => does) },
    run: (context) =>
      askAll(
        context,
        group,
        TABLE[group].filter(({ does }) => context.asks(does)),
      ),
  }))
}

function requirementsOf(group: PollingGroup): readonly string[] {
  const nonces = group === 'connection' ? [] : [FRESH]
  const own = TABLE[group].map((row) => row.for)
  return [...new Set([...own, GROWS, STATUS, ...nonces, NOT_SILENT, OTHERS])]
}

async function askAll(
  context: Context,
  group: PollingGroup,
  rows: readonly PollingRow[],
): Promise<void> {
  const { machines, check } = context
  const honest = await machines.pullAgent()
  const agents = await Promise.all(rows.map((row) => machines.pullAgent(optionsOf(row, honest))))
  const rowChecks = rows.map(
    (row, at) => agents[at] && checkRow({ context, group, row, agent: agents[at], honest }),
  )
  const before = honest.polls.length
  await Promise.all(rowChecks)
  await honest.polled(before + 1)
  check(OTHERS, 'polls of a well-behaved agent')
    .of(honest.polls.length)
    .matches(`more than ${before}`, (polls) => polls > before)
  const record = await honest.recordOnce((one) => countOf(one) >= before)
  check(GROWS, 'attestation_count of a well-behaved agent')
    .of(countOf(record))
    .matches(`at least ${before}`, (count) => count >= before)
}

function optionsOf(row: PollingRow, { served }: PullAgent): PullAgentOptions {
  const { at = 2, does, ends, versions } = row
  // A transient fault ends, to show whether the agent is polled again.
  const lasting = ends === 'open' ? { to: at } : {}
  return {
    script: [{ does, from: at, ...lasting }],
    ...(does === 'certificate-of-another-agent' && { otherCertificate: served }),
    ...(versions && { versions }),
    ...(row.with && ADDED_WITH[row.with]),
  }
}

interface RowCheck {
  readonly context: Context
  readonly group: PollingGroup
  readonly row: PollingRow
  readonly agent: PullAgent
  /** An agent that is polled at the same time and never misbehaves. */
  readonly honest: PullAgent
}

async function checkRow(rowCheck: RowCheck): Promise<void> {
  const { context, row, agent } = rowCheck
  const { at = 2 } = row
  if (at > 1) {
    const first = await agent.recordOnce((record) => countOf(record) >= at - 1)
    const isCounted = context
      .check(GROWS, `attestation_count before this: ${agentOf(row)}`, row.does)
      .of(countOf(first))
      .matches(`at least ${at - 1}`, (count) => count >= at - 1)
    if (!isCounted) return
  }
  await agent.polled(at)
  await CHECKS[row.ends](rowCheck)
  checkNoncesDiffer(rowCheck)
  checkNothingSent(rowCheck)
}

/** Checks that the verifier sends nothing on a connection that does not end at the agent. */
function checkNothingSent({ context, row, agent }: RowCheck): void {
  const disturbed = agent.asked.filter(({ method, poll }) => method === '' && poll !== undefined)
  if (disturbed.length === 0) return
  const connections = new Set(disturbed.map(({ connection }) => connection))
  context
    .check(row.for, 'requests on a disturbed connection', row.does)
    .of(agent.asked.filter((one) => one.method !== '' && connections.has(one.connection)).length)
    .is(0)
}

function checkNoncesDiffer({ context, group, row, agent }: RowCheck): void {
  // A client may repeat a request that was not answered on a new connection.
  if (group === 'connection') return
  // The nonce of a redirected request comes from the agent.
  const chosen = agent.polls.filter(({ query }) => query['redirected'] === undefined)
  const nonces = chosen.flatMap(({ query }) => query['nonce'] ?? [])
  context
    .check(FRESH, 'polls with a nonce of an earlier one', row.does)
    .of(nonces.length - new Set(nonces).size)
    .is(0)
}

const CHECKS: Readonly<Record<PollingEnd, (rowCheck: RowCheck) => Promise<void>>> = {
  fails: async (rowCheck) => {
    const { context, row, agent } = rowCheck
    const record = await agent.recordOnce(isReported)
    checkNoSuccess(rowCheck, record)
    context
      .check(STATUS, `attestation_status of an agent: ${agentOf(row)}`, row.does)
      .of(results(record, 'attestation_status'))
      .isNot('PASS')
    await checkNotSilent(rowCheck, record)
  },
  open: async (rowCheck) => {
    const { agent, row } = rowCheck
    // What a large answer takes is no silence of the verifier.
    await agent.answered()
    const pollsBefore = agent.polls.length
    const next = Math.max(pollsBefore, (row.at ?? 2) + 1)
    const record = await agent.recordOnce((one) => isReported(one) || agent.polls.length >= next)
    checkNoSuccess(rowCheck, record)
    await checkNotSilent(rowCheck, record)
  },
  waits: async (rowCheck) =>
    checkNoSuccess(rowCheck, await rowCheck.context.verifier.readAgent(rowCheck.agent.id)),
  passes: async ({ context, row, agent }) => {
    const after = (row.at ?? 2) + 1
    const record = await agent.recordOnce((one) => countOf(one) >= after || isReported(one))
    context
      .check(row.for, `attestation_count of an agent: ${agentOf(row)}`, row.does)
      .of(countOf(record))
      .matches(`at least ${after}`, (count) => count >= after)
    const entries = agent.polls.map(({ query }) => Number(query['ima_ml_entry'] ?? 0))
    const { count: most } = agent.machine.ima
    context
      .check(row.for, 'ima_ml_entry of each poll', row.does)
      .of(entries)
      .matches(`at most ${most}`, (all) => all.every((one) => one <= most))
  },
  unsaid: async (rowCheck) => {
    const { context, row, agent } = rowCheck
    const record = await agent.recordOnce(
      (one) => isReported(one) || countOf(one) >= (row.at ?? 2) || agent.polls.length > 2,
    )
    await checkNotSilent(rowCheck, record)
    const seen = ['operational_state', 'attestation_status', 'last_event_id', 'attestation_count']
    const shown = seen.map((member) => [member, results(record, member)])
    context.observe('POLLING', row.does, Object.fromEntries(shown))
  },
}

/** Whether the record reports a problem. */
function isReported(record: Reply): boolean {
  const event = results(record, 'last_event_id')
  return results(record, 'attestation_status') === 'FAIL' || (event !== null && event !== undefined)
}

/** Checks that no more quotes verified than were valid. */
function checkNoSuccess({ context, row, agent }: RowCheck, record: Reply): void {
  const { at = 2, ends } = row
  const bad = agent.polls.filter(({ poll = 0 }) => poll >= at && (ends !== 'open' || poll === at))
  const good = agent.polls.length - bad.length
  context
    .check(row.for, `attestation_count of an agent: ${agentOf(row)}`, row.does)
    .of(countOf(record))
    .matches(
      good === at - 1 ? `${good}` : `from ${at - 1} to ${good}`,
      (count) => count >= at - 1 && count <= good,
    )
}

/** Checks that the record of an agent that is no longer polled differs from that of one that is. */
async function checkNotSilent(
  { context, row, agent, honest }: RowCheck,
  record: Reply,
): Promise<void> {
  const pollsBefore = agent.polls.length
  if (!isReported(record)) await agent.polled(Math.max(pollsBefore, (row.at ?? 2) + 1))
  const [now, other] = await Promise.all(
    [agent, honest].map(({ id }) => context.verifier.readAgent(id)),
  )
  const isPolled = agent.polls.length > (row.at ?? 2)
  context
    .check(
      NOT_SILENT,
      'polled again, or whether its record equals that of a polled agent',
      row.does,
    )
    .of(isPolled ? 'polled again' : now && other && isLike(now, other))
    .isNot(true)
}

function isLike(one: Reply, other: Reply): boolean {
  const members = ['operational_state', 'attestation_status', 'last_event_id']
  return members.every((member) => results(one, member) === results(other, member))
}

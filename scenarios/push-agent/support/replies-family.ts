import { shuffled } from '../../../conformance/attempt/random.ts'
import { leastPause } from '../../../conformance/oracle/pauses.ts'
import { isTaken, takenOf, tokensGiven } from '../../../conformance/oracle/recording-parts.ts'
import type { PushAgentProcess } from '../../../conformance/peers/push-agent-process.ts'
import type { PushOperation, PushStep } from '../../../conformance/peers/push-timeline.ts'
import type { Context, Scenario } from '../../../conformance/scenario.ts'
import type { RegistrarStep } from '../../../simulator/services/registrar-truth.ts'
import type { VerifierDeed } from '../../../simulator/services/scripted-verifier.ts'
import { checkOnce } from './check-cycles.ts'
import {
  type Column,
  loadReplies,
  type Next,
  nameOfCell,
  REPLY_GROUPS,
  type ReplyCell,
  type ReplyGroup,
} from './load-replies.ts'

export const MATRIX = 'push-agent'
const REGISTRATION = 'PSH-STATE-REGISTRATION-FAILED'
/** Answers that speak for a requirement of their own, where they are the verifier's. */
const BY_ANSWER: Readonly<Record<string, string>> = {
  '403': 'PSH-AFTER-403',
  'expired-challenge': 'PSH-EVIDENCE-DEADLINE',
}
const RECOVERS = 'PSH-STATE-FROM-NEGOTIATING'
const ALONE = 'PSH-TOKEN-VERIFIER-ALONE'
const ALWAYS = [
  RECOVERS,
  ALONE,
  'PSH-BACKOFF',
  'PSH-STATE-NEGOTIATING',
  'PSH-ONE-EVIDENCE-PER-CYCLE',
]

const SAYS: Readonly<Record<ReplyGroup, string>> = {
  refusals: 'A push agent that is refused waits and begins again, whatever the status',
  faults: 'A push agent whose servers fail waits and begins again',
  bodies: 'A push agent that is told nothing that it can read waits and begins again',
  others:
    'A push agent that is answered with another success, or sent elsewhere, says nothing there',
}

const TABLE = loadReplies()

/** Answers that an agent meets in an order which the seed draws. */
const DRAWN = 30

/** What meeting one answer takes. */
const SECONDS_EACH = 0.3

/**
 * One scenario for each group of the matrix `push-agent`: one agent meets all of its answers, one after the other. And
 * one in which answers of all groups are drawn.
 */
export function pushRepliesFamily(place: string, twin: string): readonly Scenario[] {
  const common = { role: 'push_agent', since: '3.0', variantOf: twin } as const
  const ofGroups = REPLY_GROUPS.map((group): Scenario => {
    const cells = TABLE[group]
    return {
      ...common,
      id: `${place}.${group}`,
      title: SAYS[group],
      requirements: requirementsFor(cells),
      matrix: { name: MATRIX, cells: () => cells.map(nameOfCell) },
      seconds: cells.length * SECONDS_EACH,
      run: (context) => walk(context, cells, context.check),
    }
  })
  const all = REPLY_GROUPS.flatMap((group) => TABLE[group]).filter((cell) => !endsPhase(cell))
  const drawn: Scenario = {
    ...common,
    id: `${place}.drawn`,
    title: 'A push agent comes through answers of all kinds, in whichever order they come',
    requirements: requirementsFor(all),
    seconds: DRAWN * SECONDS_EACH,
    async run(context) {
      const cells = shuffled(all, context.random).slice(0, DRAWN)
      const check: Context['check'] = (requirement, what, cell) =>
        context.check(requirement, cell === undefined ? what : `${what}, ${cell}`)
      await walk(context, cells, check)
    },
  }
  return [...ofGroups, drawn]
}

/** An agent that is registered, or has a token, does not come back for further answers to the steps before. */
function endsPhase({ on, next }: ReplyCell): boolean {
  const isBeforeToken = isRegistration(on) || on === 'session' || on === 'proof'
  return isBeforeToken && (next === 'goes-on' || next === 'open')
}

function requirementsFor(cells: readonly ReplyCell[]): readonly string[] {
  return [...new Set([...cells.flatMap(requirementsOf), ...ALWAYS])]
}

function isRegistration(on: Column): boolean {
  return on === 'register' || on === 'activate'
}

function requirementsOf({ on, does, for: requirement }: ReplyCell): readonly string[] {
  if (isRegistration(on)) return [REGISTRATION]
  return [BY_ANSWER[does] ?? requirement]
}

/** So that a walk takes seconds. */
const IMPATIENT = { backoff: 80, backoffMax: 240 }

/** An agent meets the answers to its first step one after the other, then those to the next, and then honest servers. */
async function walk(
  context: Context,
  cells: readonly ReplyCell[],
  check: Context['check'],
): Promise<void> {
  const operations = (wanted: boolean) =>
    cells.flatMap(({ on, does }) => (isRegistration(on) === wanted ? [{ on, does }] : []))
  const agent = await context.pushAgents.start({
    ...IMPATIENT,
    registrar: operations(true).map(({ on, does }) => ({ on: on as RegistrarStep, answer: does })),
    script: operations(false) as readonly VerifierDeed[],
  })
  const metBy = ({ on, does }: ReplyCell) =>
    agent.operations.find(({ step, did }) => step === on && did === does)
  const isOver = () => {
    if (agent.process.ending() !== undefined) return true
    const last = agent.operations.findLastIndex(({ did }) => did !== undefined)
    const after = agent.operations.slice(last + 1)
    return cells.every(metBy) && takenOf(after, 'evidence').length > 0
  }
  const { withinMs } = agent.process
  const countMet = () => cells.filter(metBy).length
  // Each answer has its time, and not all of them together.
  for (let met = -1; !isOver() && met < countMet(); ) {
    met = countMet()
    await context.until(() => isOver() || countMet() > met, { withinMs, everyMs: POLL_MS })
  }
  for (const cell of cells) judge({ ...context, check }, agent, cell, metBy(cell))
  const last = cells.at(-1)
  check(RECOVERS, 'evidence that honest servers took in the end', last && nameOfCell(last))
    .of(isOver() && agent.process.ending() === undefined)
    .is(true)
  checkOnce(context, agent.operations)
  const tokens = tokensGiven(agent.operations)
  const told = agent.operations.filter(({ peer, heard: { headers, body } }) => {
    const said = [body, ...Object.values(headers)].join('\n')
    return peer !== 'verifier' && tokens.some((token) => said.includes(token))
  })
  check(ALONE, 'requests to another host that show a token').of(told.length).is(0)
}

const POLL_MS = 20

/** Steps that begin the phase of a step again. */
const AGAIN: Readonly<Record<Column, readonly PushStep[]>> = {
  register: ['version', 'register'],
  activate: ['version', 'register', 'activate'],
  session: ['session'],
  proof: ['session'],
  capabilities: ['session', 'capabilities'],
  evidence: ['session', 'capabilities'],
}

const ONWARD: Readonly<Record<Column, readonly PushStep[]>> = {
  register: ['activate'],
  activate: ['session'],
  session: ['proof'],
  proof: ['capabilities'],
  capabilities: ['evidence'],
  evidence: ['session', 'capabilities'],
}

const ANYTHING_BEFORE: readonly PushStep[] = ['version', 'register']

function allowedAfter({ on, does, next }: ReplyCell): readonly PushStep[] {
  const again = does === '403' || does === '404' ? [...AGAIN[on], ...ANYTHING_BEFORE] : AGAIN[on]
  const allowed: Readonly<Record<Next, readonly PushStep[]>> = {
    again,
    anew: [...again, on],
    session: ['session', ...AGAIN[on]],
    'goes-on': ONWARD[on],
    rests: ONWARD[on],
    open: [...again, ...ONWARD[on]],
  }
  return allowed[next]
}

/** What comes after a cell: the next that its agent says to one of its servers. */
function judge(
  { check, observe }: Pick<Context, 'check' | 'observe'>,
  agent: PushAgentProcess,
  cell: ReplyCell,
  met: PushOperation | undefined,
): void {
  const name = nameOfCell(cell)
  for (const requirement of requirementsOf(cell)) {
    if (met === undefined) {
      check(requirement, 'whether the agent came so far', name).of(false).is(true)
      return
    }
    const later = agent.operations.slice(agent.operations.indexOf(met) + 1)
    const next = later.find(({ peer }) => peer !== 'elsewhere')
    check(requirement, 'what it did next', name)
      .of(next?.step ?? 'nothing')
      .isOneOf([...allowedAfter(cell)])
    if (next === undefined) return
    const waited = Math.round(next.heard.at - met.heard.at)
    if (cell.next === 'again')
      check('PSH-BACKOFF', 'milliseconds that it waited', name)
        .measured(waited)
        .matches(`at least ${leastPause(agent)}`, (ms) => ms >= leastPause(agent))
    if (hasRetryAfter(met)) observe('RETRYAFTER', `${name}: milliseconds until the next`, waited)
    if (cell.next === 'open') observe('PUSHSTATUS', name, isTaken(met) ? next.step : 'refused')
  }
}

function hasRetryAfter({ answer }: PushOperation): boolean {
  return answer !== 'reset' && answer.headers?.['retry-after'] !== undefined
}

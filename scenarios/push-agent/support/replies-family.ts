import { shuffled } from '../../../conformance/attempt/random.ts'
import { leastPause } from '../../../conformance/oracle/pauses.ts'
import {
  isTaken,
  stepsOf,
  takenOf,
  tokensGiven,
} from '../../../conformance/oracle/recording-parts.ts'
import type { PushAgentProcess } from '../../../conformance/peers/push-agent-process.ts'
import type { PushOperation, PushStep } from '../../../conformance/peers/push-timeline.ts'
import type { Context, Scenario } from '../../../conformance/scenario.ts'
import type { RegistrarStep } from '../../../simulator/services/registrar-truth.ts'
import type { VerifierScriptStep } from '../../../simulator/services/scripted-verifier.ts'
import { checkOnce } from './check-cycles.ts'
import { checkChallenge } from './check-session.ts'
import {
  type Column,
  endsPhase,
  isRegistration,
  loadReplies,
  type Next,
  nameOfCell,
  REPLY_GROUPS,
  type ReplyCell,
  type ReplyGroup,
} from './load-replies.ts'

const MATRIX = 'push-agent'
const REGISTRATION = 'PSH-STATE-REGISTRATION-FAILED'
/** The proof that follows is checked, too. */
const CHALLENGE = 'PSH-PROOF-CHALLENGE'
/** Answers of the verifier that have a requirement of their own. */
const BY_ANSWER: Readonly<Record<string, string>> = {
  '403': 'PSH-AFTER-403',
  'expired-challenge': 'PSH-EVIDENCE-DEADLINE',
  'ended-challenge': 'PSH-EVIDENCE-DEADLINE',
  'another-proof-first': CHALLENGE,
  'other-scheme': 'PSH-EVIDENCE-SCHEME',
  'other-hash': 'PSH-EVIDENCE-HASH',
  'other-key': 'PSH-EVIDENCE-KEY',
  'other-key-named': 'PSH-EVIDENCE-KEY',
}
const RECOVERS = 'PSH-STATE-FROM-NEGOTIATING'
const ALONE = 'PSH-TOKEN-VERIFIER-ALONE'
const CLEAR = 'PSH-NO-CLEAR'
/** Requests of a push agent that only its verifier may get. */
const OF_VERIFIER = /\/(sessions|attestations)\b/
const ALWAYS = [
  RECOVERS,
  ALONE,
  CLEAR,
  'PSH-BACKOFF',
  'PSH-STATE-NEGOTIATING',
  'PSH-ONE-EVIDENCE-PER-CYCLE',
]

const SAYS: Readonly<Record<ReplyGroup, string>> = {
  refusals: 'A push agent retries after a delay when it is refused',
  faults: 'A push agent retries after a delay when a server fails',
  bodies: 'A push agent retries after a delay when an answer is unreadable',
  others: 'A push agent sends nothing to another host after a redirect or an unexpected success',
}

const TABLE = loadReplies()

/** Number of answers in the order drawn from the seed. */
const DRAWN = 30

/** Estimated seconds for each answer. */
const SECONDS_EACH = 0.3

/**
 * Returns one scenario for each group of the matrix `push-agent`, in which one agent meets all answers of the group
 * in turn, and one in which answers of all groups are drawn.
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
      run: (context) =>
        walk(
          context,
          cells.filter((cell) => context.asks(nameOfCell(cell))),
          context.check,
        ),
    }
  })
  const all = REPLY_GROUPS.flatMap((group) => TABLE[group]).filter((cell) => !endsPhase(cell))
  const drawn: Scenario = {
    ...common,
    id: `${place}.drawn`,
    title: 'A push agent recovers from a random order of answers',
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

function requirementsFor(cells: readonly ReplyCell[]): readonly string[] {
  return [...new Set([...cells.flatMap(requirementsOf), ...ALWAYS])]
}

function requirementsOf({ on, does, for: requirement }: ReplyCell): readonly string[] {
  if (isRegistration(on)) return [REGISTRATION]
  return [BY_ANSWER[does] ?? requirement]
}

/** Short delays, so that all answers take seconds. */
const IMPATIENT = { backoff: 80, backoffMax: 240 }

/** The agent meets the answers to its first step in turn, then those to the next, and finally honest servers. */
async function walk(
  context: Context,
  cells: readonly ReplyCell[],
  check: Context['check'],
): Promise<void> {
  const operations = (wanted: boolean) =>
    cells.flatMap(({ on, does }) => (isRegistration(on) === wanted ? [{ on, does }] : []))
  const agent = await context.pushAgents.start({
    ...IMPATIENT,
    registrar: [
      // What is asked before the registration may fail, too.
      ...(cells.some(({ on }) => isRegistration(on))
        ? [{ on: 'version', answer: '503' } as const]
        : []),
      ...operations(true).map(({ on, does }) => ({ on: on as RegistrarStep, answer: does })),
    ],
    script: operations(false) as readonly VerifierScriptStep[],
  })
  const metBy = ({ on, does }: ReplyCell) =>
    agent.operations.find(({ step, did }) => step === on && did === does)
  const isOver = () => {
    if (agent.process.exitReason() !== undefined) return true
    const last = agent.operations.findLastIndex(({ did }) => did !== undefined)
    const after = agent.operations.slice(last + 1)
    return cells.every(metBy) && takenOf(after, 'evidence').length > 0
  }
  const countMet = () => cells.filter(metBy).length
  // The time limit applies to each answer, not to all together.
  for (let met = -1; !isOver() && met < countMet(); ) {
    met = countMet()
    await agent.until(() => isOver() || countMet() > met)
  }
  const isMet = (cell: ReplyCell) => checkNext({ ...context, check }, agent, cell, metBy(cell))
  const ofRegistrar = cells.filter(({ on }) => isRegistration(on))
  const ofVerifier = cells.filter(({ on }) => !isRegistration(on))
  const last = cells.at(-1)
  if (
    ofRegistrar.every(isMet) &&
    comesToVerifier(agent, ofRegistrar, check) &&
    ofVerifier.every(isMet)
  )
    check(RECOVERS, 'evidence accepted by honest servers afterwards', last && nameOfCell(last))
      .of(isOver() && agent.process.exitReason() === undefined)
      .is(true)
  checkOnce(context, agent.operations)
  checkHosts({ check }, agent.operations)
}

/** Checks that no other host gets a token, or a request for the verifier in the clear. */
function checkHosts({ check }: Pick<Context, 'check'>, operations: readonly PushOperation[]): void {
  const tokens = tokensGiven(operations)
  const others = operations.filter(({ peer }) => peer !== 'verifier')
  const leaks = others.filter(({ request: { headers, body } }) => {
    const text = [body, ...Object.values(headers)].join('\n')
    return tokens.some((token) => text.includes(token))
  })
  check(ALONE, 'requests to another host that show a token').of(leaks.length).is(0)
  const inTheClear = others.filter(({ request: { tls, url } }) => !tls && OF_VERIFIER.test(url))
  check(CLEAR, 'requests for the verifier to another host without TLS').of(inTheClear.length).is(0)
}

/** Checks that the agent comes to its verifier once its registrar is honest: until then it meets no answer of the verifier. */
function comesToVerifier(
  { operations }: PushAgentProcess,
  met: readonly ReplyCell[],
  check: Context['check'],
): boolean {
  const last = met.at(-1)
  if (last === undefined) return true
  return check(
    REGISTRATION,
    'whether it registers with an honest registrar afterwards',
    nameOfCell(last),
  )
    .of(stepsOf(operations, 'session').length > 0)
    .is(true)
}

/** Steps that restart the phase of a step. */
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

/** Checks the next request after a cell. Returns false if there is none: the later cells are not met, for the same reason. */
function checkNext(
  { check, observe }: Pick<Context, 'check' | 'observe'>,
  agent: PushAgentProcess,
  cell: ReplyCell,
  met: PushOperation | undefined,
): boolean {
  const name = nameOfCell(cell)
  for (const requirement of requirementsOf(cell)) {
    if (met === undefined) {
      check(requirement, 'whether the agent reached the step', name).of(false).is(true)
      return false
    }
    const later = agent.operations.slice(agent.operations.indexOf(met) + 1)
    const next = later.find(({ peer }) => peer !== 'elsewhere')
    const allowed = allowedAfter(cell)
    const received = check(requirement, 'its next request', name).of(nameOf(next))
    if (requirement === BY_ANSWER['403'])
      received.meets({
        'registers again': (step) => step === 'register',
        'goes on': (step) => allowed.some((one) => one === step),
      })
    else received.isOneOf(allowed)
    if (next === undefined) return false
    if (requirement === CHALLENGE && next.step === 'proof') checkChallenge({ check }, next, name)
    const waited = Math.round((againAfter(met, later) ?? next).request.at - met.request.at)
    if (cell.next === 'again')
      check('PSH-BACKOFF', 'milliseconds that it waited', name)
        .measured(waited)
        .matches(`at least ${leastPause(agent)}`, (ms) => ms >= leastPause(agent))
    if (hasRetryAfter(met)) observe('RETRYAFTER', `${name}: milliseconds until the next`, waited)
    if (cell.next === 'open') observe('PUSHSTATUS', name, isTaken(met) ? next.step : 'refused')
  }
  return true
}

/** The next request that is not the same step in another version: an agent may look for one that its server has. */
export function againAfter(
  { step, request: { url } }: PushOperation,
  later: readonly PushOperation[],
): PushOperation | undefined {
  return later.find(
    (other) => other.peer !== 'elsewhere' && (other.step !== step || other.request.url === url),
  )
}

/** The step of a request; a request that is none, as it was sent. */
function nameOf(operation: PushOperation | undefined): string {
  if (operation?.step !== 'other') return operation?.step ?? 'nothing'
  return `${operation.request.method} ${operation.request.url}`
}

function hasRetryAfter({ answer }: PushOperation): boolean {
  return answer !== 'reset' && answer.headers?.['retry-after'] !== undefined
}

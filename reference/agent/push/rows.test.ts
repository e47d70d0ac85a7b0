import { expect, test } from 'vitest'
import { NOON } from '../../dev/testing/settable-clock.ts'
import { NoAnswer } from '../../http-client/json-client.ts'
import { pushDriver } from './driver.ts'
import type { Challenge } from './events.ts'
import { BLANK, type PushMemory } from './memory.ts'
import { PUSH_MOVES, type PushMove } from './moves.ts'
import { PUSH_AGENT_PARTS } from './push-agent-parts.ts'
import {
  PUSH_FAILURES,
  PUSH_STATES,
  type PushEventKind,
  type PushFailure,
  type PushState,
} from './states.ts'
import { begun, granted, IMA, QUOTE, session, TOKEN } from './testing/push-answers.ts'
import {
  type Call,
  reply,
  type TestEnvironment,
  testEnvironment,
} from './testing/push-environment.ts'

/** Makes an environment in which an event happens. */
type Arrange = (test: TestEnvironment, call: Call) => void

const answering =
  (status: number): Arrange =>
  (test, call) =>
    test.answers(call, reply(status, {}))

const without =
  (kind: NoAnswer['kind']): Arrange =>
  (test, call) =>
    test.answers(call, new NoAnswer('a word', kind))

const FAILURES: Readonly<Record<Exclude<PushFailure, 'faulted'>, Arrange>> = {
  unreachable: without('unreachable'),
  untrusted: without('untrusted'),
  reset: without('reset'),
  timed_out: without('late'),
  unreadable: without('too-large'),
  redirected: answering(307),
  unauthorized: answering(401),
  forbidden: answering(403),
  not_found: answering(404),
  conflict: answering(409),
  gone: answering(410),
  unprocessable: answering(422),
  too_many: answering(429),
  server_error: answering(503),
  refused: answering(418),
}

/** The first request of each state that makes one. */
const FIRST: Partial<Record<PushState, Call>> = {
  Unregistered: 'register',
  Authenticating: 'session',
  Negotiating: 'capabilities',
  Attesting: 'evidence',
}

const OTHER_PROOF = {
  ...{ authentication_class: 'pop', authentication_type: 'another' },
  chosen_parameters: { challenge: 'AAAA' },
}

/** Rows that are arranged in a way of their own. */
const OWN: Readonly<Record<string, Arrange>> = {
  'Authenticating proof_failed': ({ answers }) =>
    answers('proof', reply(200, granted({ evaluation: 'fail', token: undefined }))),
  'Authenticating late': (test) => late(test, 'certify', 61),
  'Authenticating unacceptable': ({ answers }) =>
    answers('session', reply(200, session({ authentication_requested: [OTHER_PROOF] }))),
  'Negotiating nothing_requested': ({ answers }) => answers('capabilities', reply(201, begun([]))),
  'Attesting late': (test) => late(test, 'quote', 1801),
  'Attesting unacceptable': () => undefined,
}

/** The TPM takes so many seconds for something. */
function late(
  { environment, clock }: TestEnvironment,
  what: 'certify' | 'quote',
  seconds: number,
): void {
  const { attester } = environment
  const slow = (...args: readonly never[]) => {
    clock.pass(seconds * 1000)
    return (attester[what] as (...all: readonly never[]) => unknown)(...args)
  }
  Object.assign(environment, { attester: { ...attester, [what]: slow } })
}

const CHALLENGED: Challenge = {
  ...{ index: '7', requested: [QUOTE, IMA], listed: 3, expiresAt: NOON + 1_800_000 },
}

const token = { value: TOKEN, expiresAt: NOON + 180_000, renewAt: NOON + 150_000 }

/** The memory of an agent in a state. */
function memoryFor({ from, on }: PushMove): PushMemory {
  const known = { ...BLANK, pause: 1000, token }
  if (on === 'token_due') return { ...known, token: { ...token, renewAt: NOON + 1000 } }
  if (from !== 'Attesting') return known
  const { requested } = CHALLENGED
  const other = on === 'unacceptable' ? [{ ...QUOTE, evidence_type: 'another' }] : requested
  return { ...known, challenge: { ...CHALLENGED, requested: other } }
}

function arrange(test: TestEnvironment, { from, on }: PushMove): void {
  const own = OWN[`${from} ${on}`]
  const call = FIRST[from]
  if (own !== undefined) own(test, 'evidence')
  else if (on === 'faulted') breakTpm(test)
  else if (call !== undefined && on in FAILURES) FAILURES[on as keyof typeof FAILURES](test, call)
}

function breakTpm({ environment }: TestEnvironment): void {
  const broken = () => Promise.reject(new Error('the TPM is gone'))
  const attester = { ...environment.attester, activate: broken, certify: broken, quote: broken }
  Object.assign(environment, { attester: { ...attester, pcrs: broken } })
}

const STOPPED = AbortSignal.abort()
const RUNNING = new AbortController().signal

test.each(PUSH_MOVES.map((move) => [move.from, move.on, move.to, move] as const))(
  'in %s, upon %s, it moves to %s',
  async (from, on, to, move) => {
    const scene = testEnvironment()
    arrange(scene, move)
    const driver = pushDriver(scene.environment, PUSH_AGENT_PARTS, {
      ...{ state: from, memory: memoryFor(move) },
    })
    const step = await driver.step(on === 'stopped' ? STOPPED : RUNNING)
    expect(step).toMatchObject({ from, event: on, to })
    expect(driver.state).toBe(to)
    checkEffects(move, driver.memory, memoryFor(move))
  },
)

function checkEffects({ does }: PushMove, after: PushMemory, before: PushMemory): void {
  if (does.includes('drop_token')) expect(after.token).toBeUndefined()
  if (does.includes('keep_token')) expect(after.token?.value).toBe(TOKEN)
  if (does.includes('keep_challenge')) expect(after.challenge?.index).toBe('7')
  if (does.includes('drop_challenge')) expect(after.challenge).toBeUndefined()
  if (does.includes('back_off')) expect(after.failures).toBe(before.failures + 1)
  if (does.includes('rest')) expect(after.pause).toBe(10_000)
}

test('no event of a state has two rows, and no row leads where the table has none', () => {
  const keys = PUSH_MOVES.map(({ from, on }) => `${from} ${on}`)
  expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([])
  const from = new Set<PushState>(PUSH_MOVES.map((move) => move.from))
  const dead = PUSH_MOVES.filter(({ to }) => to !== 'Stopped' && !from.has(to))
  expect(dead).toEqual([])
})

test('every state is reached, and every state with requests has a row for each failure', () => {
  const reached = new Set<PushState>(['Unregistered', ...PUSH_MOVES.map(({ to }) => to)])
  expect(reached).toEqual(new Set(Object.keys(PUSH_STATES)))
  const has = (state: PushState, event: PushEventKind) =>
    PUSH_MOVES.some(({ from, on }) => from === state && on === event)
  const lacking = Object.keys(FIRST).flatMap((state) =>
    (Object.keys(PUSH_FAILURES) as PushFailure[]).filter(
      (failure) => !has(state as PushState, failure),
    ),
  )
  expect(lacking).toEqual([])
})

import { expect, test, vi } from 'vitest'
import { type Answer, type PullAgent, pullAgent, say } from '../../dev/testing/pull-agent.ts'
import { PCR } from '../../dev/testing/stub-pull-machine.ts'
import { type Polling, polling } from '../../dev/testing/verifier/polling.ts'
import { AGENT, AK, begin, evidenceFor } from '../../dev/testing/verifier/push-requests.ts'
import {
  numberOf,
  OPERATIONAL_MOVES,
  type OperationalEffect,
  type OperationalEvent,
  type OperationalMove,
} from '../operational-state.ts'

const V = Buffer.alloc(32, 7).toString('base64')

/** How an event comes about. */
interface Cause {
  readonly settings?: readonly string[]
  readonly v?: string
  /** The agent's answer; default: an honest one. */
  readonly answer?: Answer
  /** The operation; default: a poll. */
  readonly cause?: (verifier: Polling) => Promise<unknown>
}

const breaks: Answer = (_, { socket }) => socket?.destroy()

const older: Answer = (asked, response) =>
  asked.path === '/version'
    ? say(response, 200, { supported_version: '2.4', supported_versions: ['2.3', '2.4'] })
    : say(response, 400, {}, 'API version not supported')

const overAnotherNonce: Answer = ({ query }, _, honest) => {
  Object.assign(query, { nonce: 'another' })
  honest()
}

const restart = ({ verifier }: Polling) => verifier.polls.start()

/** A quote of the agent's own key over the challenge of an attestation that it begins. */
async function push({ verifier }: Polling): Promise<void> {
  await verifier.store.agents.change(AGENT, () => ({ ak_tpm: AK }))
  const begun = await begin(verifier)
  const params = { agent_id: AGENT, index: begun.id }
  await verifier.ask('submit-evidence', params, evidenceFor(begun))
}

const CAUSES: Readonly<Record<Exclude<OperationalEvent, 'added' | 'deleted'>, Cause>> = {
  pushed: { cause: push },
  stopped: { cause: (verifier) => verifier.ask('stop-agent') },
  reactivated: { cause: (verifier) => verifier.ask('reactivate-agent') },
  ended: { cause: restart },
  restarted: { cause: restart },
  poll_begun: {},
  quote_passed: {},
  key_proven: { v: V },
  v_taken: { v: V },
  unanswered: { answer: breaks },
  given_up: { answer: breaks, settings: ['max_retries=0'] },
  version_refused: { answer: older },
  refused: { answer: (_, response) => say(response, 403, {}) },
  evidence_failed: { answer: overAnotherNonce },
  evidence_questioned: {
    settings: ['severity_policy=[{"event_id":"pcr.*","severity_label":"notice"}]'],
  },
}

interface Scene {
  readonly agent: PullAgent
  readonly verifier: Polling
}

/** An agent that is asked, in a state, as after a restart; a node key is known where V is to be sent. */
async function scene({ event, from }: OperationalMove, cause: Cause): Promise<Scene> {
  const [agent, verifier] = [await pullAgent(), await polling(cause.settings)]
  const wanted = event === 'evidence_questioned' ? '00'.repeat(32) : PCR
  const tpm_policy = JSON.stringify({ 0: [wanted], mask: '0x1' })
  const added = { ...agent.request(), tpm_policy, ...(cause.v && { v: cause.v }) }
  await verifier.verifier.ask('add-agent', { agent_id: AGENT }, added)
  await verifier.verifier.polls.end(AGENT)
  const public_key = event === 'v_taken' || from?.startsWith('provide_v') ? agent.nodeKey : null
  const state = { operational_state: numberOf(from) ?? 1, public_key, severity_level: 1 }
  await verifier.verifier.store.agents.change(AGENT, () => ({ ...state, v: cause.v ?? V }))
  if (cause.v === undefined && public_key === null)
    await verifier.verifier.store.agents.change(AGENT, () => ({ v: null }))
  agent.answers(cause.answer)
  return { agent, verifier }
}

const POLLED: readonly OperationalEffect[] = ['poll_now', 'poll_later', 'retry_later', 'provide_v']
const MOVES = OPERATIONAL_MOVES.filter(({ mode }) => mode === 'pull')
const titled = MOVES.map((move) => ({ ...move, title: `${move.from ?? 'nothing'}, ${move.event}` }))

const caused = titled.filter(({ event }) => Object.hasOwn(CAUSES, event))

test.each(caused)('$title: $to', async (move) => {
  const cause = CAUSES[move.event as keyof typeof CAUSES]
  const { agent, verifier } = await scene(move, cause)
  const states: unknown[] = []
  const { answer } = cause
  agent.answers((asked, response, honest) => {
    const answered = () => (answer === undefined ? honest() : answer(asked, response, honest))
    verifier
      .stored()
      .then((row) => states.push(row?.operational_state), answered)
      .then(answered, answered)
  })
  const before = await verifier.stored()
  if (cause.cause === undefined) verifier.verifier.polls.wake(AGENT)
  else await cause.cause(verifier)
  if (cause.cause === undefined) await verifier.pass(0)
  const after = await verifier.stored()
  const reached = move.event === 'poll_begun' ? states[0] : after?.operational_state
  expect(reached).toBe(numberOf(move.to))
  if (cause.cause === undefined && move.event !== 'poll_begun')
    expect(verifier.events.at(-1)).toBe(move.event)
  if (move.effects.includes('count_pass'))
    expect(after?.attestation_count).toBe((before?.attestation_count ?? 0) + 1)
  if (move.effects.includes('count_failure')) expect(after?.last_event_id).toMatch(/\./)
  expect(verifier.verifier.incidents.map(({ type }) => type)).toEqual(incidentsOf(move.effects))
  if (move.event === 'poll_begun') return
  const asked = agent.asked.length
  await verifier.pass(60)
  expect(agent.asked.length > asked).toBe(move.effects.some((effect) => POLLED.includes(effect)))
})

/** No agent has attested yet. */
function incidentsOf(effects: readonly OperationalEffect[]): readonly string[] {
  if (effects.includes('report_revocation')) return ['revocation']
  return effects.includes('report_comm_error') ? ['comm_error'] : []
}

test('nothing, added: start', async () => {
  const [agent, verifier] = [await pullAgent(), await polling()]
  await verifier.verifier.ask('add-agent', { agent_id: AGENT }, agent.request())
  expect(await verifier.stored()).toMatchObject({ mode: 'pull', operational_state: 1 })
  await verifier.pass(0)
  expect(agent.asked).toHaveLength(1)
})

const IDLE: readonly unknown[] = ['registered', 'saved', 'failed', 'terminated', 'tenant_failed']

test.each(titled.filter(({ event }) => event === 'deleted'))(
  '$title: $to until pending work has ended, and then no record',
  async (move) => {
    const { agent, verifier } = await scene(move, {})
    const { polls } = verifier.verifier
    const states: unknown[] = []
    const { end } = polls
    vi.spyOn(polls, 'end').mockImplementation(async (agentId) => {
      states.push((await verifier.stored())?.operational_state)
      return end.call(polls, agentId)
    })
    let deleted: Promise<unknown> | undefined
    agent.answers(() => {
      deleted = verifier.ask('delete-agent')
    })
    polls.wake(AGENT)
    await verifier.pass(0)
    if (IDLE.includes(move.from)) deleted = verifier.ask('delete-agent')
    await deleted
    expect([states, await verifier.stored()]).toEqual([[8], undefined])
  },
)

test('every event of the table has a test here', () => {
  const here = new Set([...Object.keys(CAUSES), 'added', 'deleted'])
  expect(here).toEqual(new Set(MOVES.map(({ event }) => event)))
})

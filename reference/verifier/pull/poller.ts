import type { JsonQuestion, JsonReply } from '../../http-client/json-client.ts'
import type { AgentRow } from '../../storage/databases/database.ts'
import { type Moving, moving } from '../operational-effects.ts'
import {
  OPERATIONAL_STATES,
  type OperationalEffect,
  type OperationalEvent,
} from '../operational-state.ts'
import { noticeTypeOf } from '../revocation/notice-type.ts'
import { openLine } from './agent-line.ts'
import { askForQuote } from './ask-for-quote.ts'
import { faulted } from './failures.ts'
import { isAsked, isOurs } from './is-asked.ts'
import type { AgentLine, PollOutcome, PollParts } from './poll-parts.ts'
import { provideV } from './provide-v.ts'
import { type Alarm, type Schedule, schedule } from './schedule.ts'

/** Asks agents for quotes, each one after another. */
export interface Poller {
  /** Takes over every agent that the store has for this verifier, as after a restart. */
  start(): Promise<void>
  /** Takes over agents that others have set going, and those that it should have and has not. */
  sweep(): Promise<void>
  /** Asks an agent now, which was added or reactivated. */
  wake(agentId: string): void
  /** Stops polling it, and resolves when its pending requests have ended. */
  end(agentId: string): Promise<void>
  /** Asks an agent something else, over the connection on which it is polled, or over one of its own where it is not. */
  ask(agent: AgentRow, question: JsonQuestion): Promise<JsonReply>
  /** Ids of all agents that this verifier is responsible for. */
  agents(): Promise<readonly string[]>
  /** Resolves when no agent is being asked. */
  settled(): Promise<void>
  /** Ends all of it and leaves the records as they are, for the next start. */
  stop(): Promise<void>
}

/** An agent in memory. */
interface Known {
  line?: AgentLine
  turn?: Promise<void>
  /** Something happened while it was being asked. */
  isWoken: boolean
}

const NO_LATER_THAN = 3_600_000

class AgentPoller implements Poller {
  readonly #parts: PollParts
  readonly #schedule: Schedule
  readonly #known = new Map<string, Known>()
  readonly #waiting = new Set<string>()
  #busy = 0
  #isOver = false

  constructor(parts: PollParts, alarm?: Alarm) {
    this.#parts = parts
    this.#schedule = schedule(parts.clock, (agentId) => this.#due(agentId), alarm)
  }

  async start(): Promise<void> {
    const { store, config, operationalMoves } = this.#parts
    for (const row of await this.#ours()) {
      if (row.operational_state === OPERATIONAL_STATES.terminated)
        await store.agents.remove(row.agent_id)
      if (!isAsked(row, config)) continue
      await store.agents.change(
        row.agent_id,
        (agent) => moving(operationalMoves, 'restarted', agent)?.change,
      )
      this.wake(row.agent_id)
    }
  }

  async sweep(): Promise<void> {
    for (const row of await this.#ours())
      if (!this.#known.has(row.agent_id) && isAsked(row, this.#parts.config))
        this.wake(row.agent_id)
  }

  wake(agentId: string): void {
    if (this.#isOver) return
    const known = this.#known.get(agentId)
    if (known?.turn === undefined) this.#schedule.at(agentId, this.#parts.clock.awake())
    else known.isWoken = true
    if (known === undefined) this.#known.set(agentId, { isWoken: false })
  }

  async end(agentId: string): Promise<void> {
    const known = this.#known.get(agentId)
    this.#forget(agentId)
    await known?.turn
  }

  async stop(): Promise<void> {
    this.#isOver = true
    this.#schedule.close()
    const turns = this.#turns()
    for (const agentId of [...this.#known.keys()]) this.#forget(agentId)
    await Promise.all(turns)
  }

  async ask(agent: AgentRow, question: JsonQuestion): Promise<JsonReply> {
    const line = this.#known.get(agent.agent_id)?.line
    if (line?.enrolment === agent.enrolment) return line.client.ask(question)
    const { client } = openLine(this.#parts, agent)
    try {
      return await client.ask(question)
    } finally {
      client.close()
    }
  }

  async agents(): Promise<readonly string[]> {
    return (await this.#ours()).map(({ agent_id }) => agent_id)
  }

  async settled(): Promise<void> {
    for (let turns = this.#turns(); turns.length > 0; turns = this.#turns())
      await Promise.all(turns)
  }

  #turns(): readonly Promise<void>[] {
    return [...this.#known.values()].flatMap(({ turn }) => turn ?? [])
  }

  async #ours() {
    const rows = await this.#parts.store.agents.polled()
    return rows.filter((row) => isOurs(row, this.#parts.config))
  }

  #forget(agentId: string): void {
    const known = this.#known.get(agentId)
    known?.line?.client.close()
    // A later wake opens a new connection; this one is closed.
    delete known?.line
    this.#known.delete(agentId)
    this.#waiting.delete(agentId)
    this.#schedule.cancel(agentId)
  }

  #due(agentId: string): void {
    this.#waiting.add(agentId)
    this.#next()
  }

  #next(): void {
    while (this.#busy < this.#parts.config.polls_at_once && !this.#isOver) {
      const [agentId] = this.#waiting
      if (agentId === undefined) return
      this.#waiting.delete(agentId)
      const known = this.#known.get(agentId)
      if (known === undefined) continue
      this.#busy += 1
      known.turn = this.#turn(agentId, known).finally(() => {
        this.#busy -= 1
        delete known.turn
        this.#again(agentId, known)
        this.#next()
      })
    }
  }

  /** What woke an agent while it was being asked is looked at now. */
  #again(agentId: string, known: Known): void {
    if (!known.isWoken || this.#isOver) return
    known.isWoken = false
    this.#known.set(agentId, known)
    this.#schedule.at(agentId, this.#parts.clock.awake())
  }

  /** After any fault the agent is scheduled again. */
  async #turn(agentId: string, known: Known): Promise<void> {
    try {
      await this.#poll(agentId, known)
    } catch (err) {
      this.#parts.log.error({ err, agent_id: agentId }, 'poll failed; it is repeated')
      if (this.#known.get(agentId) === known) this.#retry(agentId, known.line)
    }
  }

  async #poll(agentId: string, known: Known): Promise<void> {
    const { store, config, clock } = this.#parts
    const row = await store.agents.find(agentId)
    if (row === undefined || !isOurs(row, config) || !isAsked(row, config)) {
      if (this.#known.get(agentId) === known) this.#forget(agentId)
      return
    }
    const agent = await this.#begin(row)
    const line = this.#lineOf(agent, known)
    line.begunAt = clock.awake()
    const outcome = await this.#outcome(agent, line)
    if (this.#isOver) return
    const moved = await this.#record(agent, outcome)
    this.#account(agent, line, outcome, moved)
    if (this.#known.get(agentId) !== known) return
    // Another verifier may have stopped the agent and may reactivate it: forget it, so that a sweep takes it over then.
    if (moved === undefined) this.#forget(agentId)
    else this.#carryOn(agentId, line, outcome.event, moved.move.effects)
  }

  /** The first request of an agent is about to be sent. */
  async #begin(agent: AgentRow): Promise<AgentRow> {
    if (agent.operational_state !== OPERATIONAL_STATES.start) return agent
    const moved = await this.#record(agent, { event: 'poll_begun' })
    return moved === undefined ? agent : { ...agent, ...moved.change }
  }

  #lineOf(agent: AgentRow, known: Known): AgentLine {
    if (known.line?.enrolment === agent.enrolment) return known.line
    known.line?.client.close()
    known.line = openLine(this.#parts, agent)
    return known.line
  }

  async #outcome(agent: AgentRow, line: AgentLine): Promise<PollOutcome> {
    try {
      return await STEPS[stepOf(agent)](this.#parts, agent, line)
    } catch (err) {
      this.#parts.log.error({ err, agent_id: agent.agent_id }, 'agent could not be polled')
      return faulted(this.#parts, line)
    }
  }

  /** Records nothing if the agent was stopped, deleted or enrolled again meanwhile. */
  async #record(agent: AgentRow, outcome: PollOutcome): Promise<Moving | undefined> {
    const { store, operationalMoves } = this.#parts
    let moved: Moving | undefined
    await store.agents.change(agent.agent_id, (now) => {
      if (now.enrolment !== agent.enrolment) return undefined
      moved = moving(operationalMoves, outcome.event, now, outcome.failure)
      return moved && { ...outcome.change?.(now), ...moved.change }
    })
    return moved
  }

  /** The log, the metrics and the receivers of revocations. */
  #account(agent: AgentRow, line: AgentLine, outcome: PollOutcome, moved?: Moving): void {
    const { log, metrics, clock, report } = this.#parts
    const { agent_id } = agent
    const { event, failure, why } = outcome
    metrics?.polled(event, (clock.awake() - line.begunAt) / 1000)
    if (why !== undefined) log.warn({ agent_id, event, failure: failure?.last_event_id }, why)
    if (moved === undefined || failure === undefined) return
    const type = noticeTypeOf(moved.move.effects, agent)
    if (type !== undefined) report({ type, agent, failure })
  }

  #carryOn(
    agentId: string,
    line: AgentLine,
    event: OperationalEvent,
    effects: readonly OperationalEffect[],
  ): void {
    if (ANSWERED.includes(event)) line.tries = 0
    line.knowsKey = ANSWERED.includes(event)
    const { clock, config } = this.#parts
    for (const effect of effects) {
      if (effect === 'end_polling') this.#forget(agentId)
      if (effect === 'retry_later') this.#retry(agentId, line)
      if (effect === 'poll_now' || effect === 'provide_v') this.#schedule.at(agentId, clock.awake())
      if (effect === 'poll_later')
        this.#schedule.at(
          agentId,
          Math.max(clock.awake(), line.begunAt + config.quote_interval * 1000),
        )
    }
  }

  #retry(agentId: string, line: AgentLine | undefined): void {
    const { clock, config, pullRules } = this.#parts
    const wait = pullRules.retryWait(Math.max(1, line?.tries ?? 1), config)
    this.#schedule.at(agentId, clock.awake() + Math.min(wait, NO_LATER_THAN))
  }
}

/** After these there is nothing to try again. */
const ANSWERED: readonly OperationalEvent[] = [
  ...(['quote_passed', 'key_proven', 'v_taken', 'evidence_questioned'] as const),
]

const STEPS = { quote: askForQuote, v: provideV }

function stepOf({ operational_state: state }: AgentRow): keyof typeof STEPS {
  const { provide_v, provide_v_retry } = OPERATIONAL_STATES
  return state === provide_v || state === provide_v_retry ? 'v' : 'quote'
}

export function poller(parts: PollParts, alarm?: Alarm): Poller {
  return new AgentPoller(parts, alarm)
}

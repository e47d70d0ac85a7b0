import type { Answer } from '../../simulator/services/service.ts'
import type { CommandRecord } from '../../simulator/swtpm/broker.ts'
import type { Credential } from '../../simulator/x509/factory.ts'
import { NotApplicable, PrerequisiteFailed } from '../attempt/endings.ts'
import { until } from '../attempt/poll.ts'
import type { Slot } from '../attempt/slots.ts'
import type { HttpsClient } from '../client/https-client.ts'
import type { Transcript } from '../client/transcript.ts'
import { type PullAgent, type PullAgentRoom, speakTo } from './pull-agent.ts'
import type { PullAgentPool } from './pull-agent-pool.ts'
import type { Listener, PullAgentOptions, PullAgentProcess } from './pull-agent-process.ts'
import { recordHeard } from './record-request.ts'

export interface PullAgentsOptions {
  /** Undefined when the target file names no pull agent. */
  readonly pool: PullAgentPool | undefined
  readonly version: string
  readonly transcript: Transcript
  readonly clientOf: (certificate: string) => HttpsClient
  readonly onCleanup: (step: () => Promise<void>) => void
  readonly slot: Slot
}

/** What became of an agent that was refused. */
export interface Refused {
  /** Whether it answers at its port. */
  readonly serves: boolean
  /** How it ended; undefined while it runs. */
  readonly ending: string | undefined
}

/** How long an agent that was refused gets to end, or to serve. */
const SETTLE_MS = 1500

function isForbidden(answer: Answer): boolean {
  return answer !== 'reset' && answer.status === 403
}

/** The pull agents of one scenario. */
export class PullAgents {
  readonly #options: PullAgentsOptions

  constructor(options: PullAgentsOptions) {
    this.#options = options
  }

  /** Of the server components that the judge plays. */
  get authority(): Credential {
    return this.#desk().authority.issuer
  }

  /** The agent that scenarios share: registered, up, and nobody else's until this scenario is over. */
  async shared(): Promise<PullAgent> {
    const { slot } = this.#options
    const lease = await slot.queue(() => this.#desk().lease())
    this.#options.onCleanup(async () => {
      lease.agent.hearBy(undefined)
      lease.release()
    })
    lease.agent.hearBy(this.#listener())
    return speakTo(lease.agent, this.#room())
  }

  /** An agent of this scenario's own: registered and up. */
  async fresh(options: Omit<PullAgentOptions, 'id' | 'name'> = {}): Promise<PullAgent> {
    const agent = await this.start(options)
    await this.#options.slot.rest(() => agent.ready())
    return speakTo(agent, this.#room())
  }

  /** Starts an agent and does not wait for it. */
  async start(options: Omit<PullAgentOptions, 'id' | 'name'> = {}): Promise<PullAgentProcess> {
    const agent = await this.#desk().start(options)
    this.#options.onCleanup(() => agent.close())
    agent.hearBy(this.#listener())
    this.#options.transcript.note(
      `agent ${agent.id} is started on the machine ${agent.machine.name}`,
    )
    return agent
  }

  /**
   * Waits until the registrar has refused the agent, and it has ended or had a moment to serve all the same; ends the
   * scenario when it never got so far.
   */
  async afterRefusal(agent: PullAgentProcess): Promise<Refused> {
    const refused = () => agent.registrar.exchanges.some(({ answer }) => isForbidden(answer))
    const { withinMs, ending } = agent.process
    const { rest } = this.#options.slot
    const isSettled = () => refused() || ending() !== undefined
    const settled = await rest(() => until(isSettled, { withinMs }))
    if (!settled || !refused())
      throw new PrerequisiteFailed(`the agent was not refused: ${ending() ?? 'it never asked'}`)
    const isOver = async () => ending() !== undefined || (await agent.serves())
    await rest(() => until(isOver, { withinMs: SETTLE_MS }))
    return { serves: await agent.serves(), ending: ending() }
  }

  #desk(): PullAgentPool {
    const { pool } = this.#options
    if (pool === undefined) throw new NotApplicable('the target file names no pull_agent')
    return pool
  }

  #room(): PullAgentRoom {
    const { version, clientOf } = this.#options
    return { version, clientOf, judge: this.#desk().judge }
  }

  #listener(): Listener {
    const { transcript } = this.#options
    return {
      command(machine: string, record: CommandRecord) {
        const { submissions: _, ...shown } = record
        transcript.add({ lane: 'tpm', at_ms: transcript.elapsed(), machine, ...shown })
      },
      exchange: (exchange) =>
        recordHeard(transcript, exchange, { credentials: 'the agent', peer: 'registrar' }),
    }
  }
}

import type { KeyForms } from '../../simulator/agents/key-forms.ts'
import type { Answer } from '../../simulator/services/service.ts'
import type { CommandRecord } from '../../simulator/swtpm/broker.ts'
import type { Credential } from '../../simulator/x509/factory.ts'
import { NotApplicable, PrerequisiteFailed } from '../attempt/endings.ts'
import { until } from '../attempt/poll.ts'
import type { Slot } from '../attempt/slots.ts'
import type { HttpsClient } from '../client/https-client.ts'
import type { Transcript } from '../client/transcript.ts'
import { connectTo, type PullAgent, type PullAgentAccess } from './pull-agent.ts'
import type { PullAgentPool } from './pull-agent-pool.ts'
import type { Listener, PullAgentOptions, PullAgentProcess } from './pull-agent-process.ts'
import { recordRequest } from './record-request.ts'

interface PullAgentsOptions {
  /** Undefined if the target file names no pull agent. */
  readonly pool: PullAgentPool | undefined
  readonly version: string
  readonly keyForms: KeyForms
  readonly transcript: Transcript
  readonly clientOf: (certificate: string) => HttpsClient
  readonly onCleanup: (step: () => Promise<void>) => void
  readonly slot: Slot
}

/** The state of an agent after the registrar refused it. */
interface Refused {
  /** Whether the agent answers at its port. */
  readonly serves: boolean
  /** How the process exited; undefined while it runs. */
  readonly exitReason: string | undefined
}

/** Time for a refused agent to exit or to serve. */
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

  /** The CA of the simulated server components. */
  get authority(): Credential {
    return this.#pool().authority.issuer
  }

  /** The shared agent, registered and running, for exclusive use until the scenario ends. */
  async shared(): Promise<PullAgent> {
    const { slot } = this.#options
    const lease = await slot.queue(() => this.#pool().lease())
    this.#options.onCleanup(async () => {
      lease.agent.listenWith(undefined)
      lease.release()
    })
    lease.agent.listenWith(this.#listener())
    return connectTo(lease.agent, this.#access())
  }

  /** Starts an agent for this scenario only and waits until it is registered and running. */
  async fresh(options: Omit<PullAgentOptions, 'id' | 'name'> = {}): Promise<PullAgent> {
    return this.connect(await this.start(options))
  }

  /** Waits until an agent that was started is registered and running. */
  async connect(agent: PullAgentProcess): Promise<PullAgent> {
    await this.#options.slot.rest(() => agent.ready())
    return connectTo(agent, this.#access())
  }

  /** Starts an agent for this scenario only, without waiting for it. */
  async start(options: Omit<PullAgentOptions, 'id' | 'name'> = {}): Promise<PullAgentProcess> {
    const agent = await this.#pool().start(options)
    this.#options.onCleanup(() => agent.close())
    agent.listenWith(this.#listener())
    this.#options.transcript.note(
      `agent ${agent.id} is started on the machine ${agent.machine.name}`,
    )
    return agent
  }

  /**
   * Waits until the registrar has refused the agent and the agent has exited or had time to serve.
   *
   * @throws {PrerequisiteFailed} if the registrar did not refuse it
   */
  async afterRefusal(agent: PullAgentProcess): Promise<Refused> {
    const refused = () => agent.registrar.exchanges.some(({ answer }) => isForbidden(answer))
    const { withinMs, exitReason } = agent.process
    const { rest } = this.#options.slot
    const isSettled = () => refused() || exitReason() !== undefined
    const settled = await rest(() => until(isSettled, { withinMs }))
    if (!settled || !refused())
      throw new PrerequisiteFailed({
        ...{ requirement: 'AGT-REG-ID', what: 'the agent' },
        ...{ expected: 'a registration', received: exitReason() ?? 'no registration in time' },
      })
    const isOver = async () => exitReason() !== undefined || (await agent.serves())
    await rest(() => until(isOver, { withinMs: SETTLE_MS }))
    return { serves: await agent.serves(), exitReason: exitReason() }
  }

  #pool(): PullAgentPool {
    const { pool } = this.#options
    if (pool === undefined) throw new NotApplicable('the target file names no pull_agent')
    return pool
  }

  #access(): PullAgentAccess {
    const { version, clientOf, keyForms } = this.#options
    return { version, clientOf, keyForms, admin: this.#pool().admin }
  }

  #listener(): Listener {
    const { transcript } = this.#options
    return {
      command(machine: string, record: CommandRecord) {
        const { submissions: _, ...shown } = record
        transcript.add({ lane: 'tpm', at_ms: transcript.elapsed(), machine, ...shown })
      },
      exchange: (exchange) =>
        recordRequest(transcript, exchange, { credentials: 'the agent', peer: 'registrar' }),
    }
  }
}

import { seededRandom } from '../attempt/random.ts'
import {
  type PullAgentOptions,
  type PullAgentParts,
  type PullAgentProcess,
  startPullAgent,
} from './pull-agent-process.ts'

/** The agent that scenarios share, in the hands of one of them. */
export interface Lease {
  readonly agent: PullAgentProcess
  release(): void
}

/**
 * Starts the pull agents of a run. To start one takes seconds, so that scenarios share one, one after the other; what
 * must be the first to speak to an agent, or changes it for good, starts its own.
 */
export class PullAgentPool {
  readonly #parts: PullAgentParts
  readonly #seed: string
  #shared: Promise<PullAgentProcess> | undefined
  #last: Promise<unknown> = Promise.resolve()
  #made = 0

  constructor(parts: PullAgentParts, seed: string) {
    this.#parts = parts
    this.#seed = seed
  }

  /** Whom the judge is toward its agents. */
  get judge() {
    return this.#parts.authority.admin
  }

  get authority() {
    return this.#parts.authority
  }

  /** The shared agent, when nobody else has it; one that ended by itself is replaced. */
  async lease(): Promise<Lease> {
    const { turn, release } = this.#turn()
    await turn
    try {
      if ((await this.#shared)?.process.ending() !== undefined) await this.#retire()
      this.#shared ??= this.#startShared()
      return { agent: await this.#shared, release }
    } catch (error) {
      this.#shared = undefined
      release()
      throw error
    }
  }

  /** An agent of its own; whoever asks for it closes it. */
  start(options: Omit<PullAgentOptions, 'id' | 'name'> = {}): Promise<PullAgentProcess> {
    const name = `a${this.#made++}`
    const id = seededRandom(this.#seed, `pull agent ${name}`).uuid()
    return startPullAgent(this.#parts, { ...options, id, name })
  }

  /** Ends the shared agent. */
  async close(): Promise<void> {
    await this.#retire()
  }

  async #startShared(): Promise<PullAgentProcess> {
    const agent = await this.start()
    try {
      await agent.ready()
      return agent
    } catch (error) {
      await agent.close()
      throw error
    }
  }

  async #retire(): Promise<void> {
    const retired = this.#shared
    this.#shared = undefined
    await (await retired?.catch(() => undefined))?.close()
  }

  #turn(): { readonly turn: Promise<unknown>; readonly release: () => void } {
    const turn = this.#last
    let release: () => void = () => undefined
    this.#last = new Promise<void>((resolve) => {
      release = resolve
    })
    return { turn, release }
  }
}

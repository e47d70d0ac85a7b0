import { seededRandom } from '../attempt/random.ts'
import {
  type PullAgentOptions,
  type PullAgentParts,
  type PullAgentProcess,
  startPullAgent,
} from './pull-agent-process.ts'

/** Exclusive use of the shared agent by one scenario. */
interface Lease {
  readonly agent: PullAgentProcess
  release(): void
}

/** PCR 16 holds something else when the agent starts, as after an agent with another key. */
const USED_BEFORE = 'extend 16 00'

/**
 * Starts the pull agents of a run. A start takes seconds, so scenarios share one agent in turn. A scenario that needs
 * an unused agent, or changes it permanently, starts its own.
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

  /** Credentials of the harness as verifier and tenant. */
  get admin() {
    return this.#parts.authority.admin
  }

  get authority() {
    return this.#parts.authority
  }

  /** Waits for exclusive use of the shared agent; replaces the agent if its process has exited. */
  async lease(): Promise<Lease> {
    const { turn, release } = this.#turn()
    await turn
    try {
      if ((await this.#shared)?.process.exitReason() !== undefined) await this.#retire()
      this.#shared ??= this.#startShared()
      return { agent: await this.#shared, release }
    } catch (error) {
      this.#shared = undefined
      release()
      throw error
    }
  }

  /** Starts a separate agent. The caller must close it. */
  start(options: Omit<PullAgentOptions, 'id' | 'name'> = {}): Promise<PullAgentProcess> {
    const name = `a${this.#made++}`
    const uuid = seededRandom(this.#seed, `pull agent ${name}`).uuid()
    const id = options.capitals ? uuid.toUpperCase() : uuid
    return startPullAgent(this.#parts, { ...options, id, name })
  }

  /** Stops the shared agent. */
  async close(): Promise<void> {
    await this.#retire()
  }

  async #startShared(): Promise<PullAgentProcess> {
    const agent = await this.start({ script: USED_BEFORE })
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

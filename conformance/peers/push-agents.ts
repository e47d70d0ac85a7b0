import type { Credential } from '../../simulator/x509/factory.ts'
import { makeCertificate } from '../../simulator/x509/factory.ts'
import type { Recipe } from '../../simulator/x509/recipes.ts'
import { NotApplicable } from '../attempt/endings.ts'
import type { Slot } from '../attempt/slots.ts'
import type { Transcript } from '../client/transcript.ts'
import type { PushAgentPool, PushRecording } from './push-agent-pool.ts'
import type { PushAgentOptions, PushAgentProcess, PushListener } from './push-agent-process.ts'
import type { PushOperation } from './push-timeline.ts'
import { recordRequest } from './record-request.ts'

interface PushAgentsOptions {
  /** Undefined if the target file names no push agent. */
  readonly pool: PushAgentPool | undefined
  readonly transcript: Transcript
  readonly onCleanup: (step: () => Promise<void>) => void
  readonly slot: Slot
}

/** The push agents of one scenario. */
export class PushAgents {
  readonly #options: PushAgentsOptions

  constructor(options: PushAgentsOptions) {
    this.#options = options
  }

  /** The shared recording of an agent without interference. */
  async recording(): Promise<PushRecording> {
    const { slot } = this.#options
    const recording = await slot.queue(() => this.#pool().recording())
    for (const operation of recording.operations) this.#record(operation)
    if (recording.brokeOff)
      this.#options.transcript.note(`the recording is incomplete: ${recording.brokeOff}`)
    return recording
  }

  /** Starts an agent for this scenario only, without waiting for it. */
  async start(options: PushAgentOptions = {}): Promise<PushAgentProcess> {
    const { slot } = this.#options
    const agent = await this.#pool().start({ ...options, rest: slot.queue })
    this.#options.onCleanup(() => agent.close())
    agent.listenWith(this.#listener())
    this.#options.transcript.note(
      `agent ${agent.id} is started on the machine ${agent.machine.name}`,
    )
    return agent
  }

  /** Makes a server certificate by the harness's CA that differs from the right one as `recipe` says. */
  serverCertificate(recipe: Recipe): Promise<Credential> {
    return makeCertificate(recipe, this.#pool().authority.issuer, Date.now())
  }

  /** The right server certificate. */
  get rightCertificate(): Credential {
    return this.#pool().authority.server
  }

  #pool(): PushAgentPool {
    const { pool } = this.#options
    if (pool === undefined) throw new NotApplicable('the target file names no push_agent')
    return pool
  }

  #record({ request, answer, peer }: PushOperation): void {
    recordRequest(this.#options.transcript, { request, answer }, { credentials: 'the agent', peer })
  }

  #listener(): PushListener {
    const { transcript } = this.#options
    return {
      command(machine, { submissions: _, ...shown }) {
        transcript.add({ lane: 'tpm', at_ms: transcript.elapsed(), machine, ...shown })
      },
      operation: (operation) => this.#record(operation),
    }
  }
}

import type { Credential } from '../../simulator/x509/factory.ts'
import { makeCertificate } from '../../simulator/x509/factory.ts'
import type { Recipe } from '../../simulator/x509/recipes.ts'
import { NotApplicable } from '../attempt/endings.ts'
import type { Slot } from '../attempt/slots.ts'
import type { Transcript } from '../client/transcript.ts'
import type { PushAgentDesk, PushStory } from './push-agent-desk.ts'
import type { PushAgentOptions, PushAgentProcess, PushListener } from './push-agent-process.ts'
import type { PushDeed } from './push-timeline.ts'
import { recordHeard } from './record-heard.ts'

export interface PushAgentsOptions {
  /** Undefined when the target file names no push agent. */
  readonly desk: PushAgentDesk | undefined
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

  /** What was heard of an agent that nobody disturbed; scenarios share it. */
  async story(): Promise<PushStory> {
    const { slot } = this.#options
    const story = await slot.queue(() => this.#desk().story())
    for (const deed of story.deeds) this.#record(deed)
    if (story.brokeOff) this.#options.transcript.note(`the story broke off: ${story.brokeOff}`)
    return story
  }

  /** Starts an agent of this scenario's own and does not wait for it. */
  async start(options: PushAgentOptions = {}): Promise<PushAgentProcess> {
    const { slot } = this.#options
    const agent = await this.#desk().start({ ...options, rest: slot.rest })
    this.#options.onCleanup(() => agent.close())
    agent.hearBy(this.#listener())
    this.#options.transcript.note(
      `agent ${agent.id} is started on the machine ${agent.machine.name}`,
    )
    return agent
  }

  /** A server certificate that differs from the right one of the judge's servers as told. */
  serverCertificate(recipe: Recipe): Promise<Credential> {
    return makeCertificate(recipe, this.#desk().authority.issuer, Date.now())
  }

  /** The right one. */
  get rightCertificate(): Credential {
    return this.#desk().authority.server
  }

  #desk(): PushAgentDesk {
    const { desk } = this.#options
    if (desk === undefined) throw new NotApplicable('the target file names no push_agent')
    return desk
  }

  #record({ heard, answer, peer }: PushDeed): void {
    recordHeard(this.#options.transcript, { heard, answer }, { speaker: 'the agent', peer })
  }

  #listener(): PushListener {
    const { transcript } = this.#options
    return {
      command(machine, { submissions: _, ...shown }) {
        transcript.add({ lane: 'tpm', at_ms: transcript.elapsed(), machine, ...shown })
      },
      deed: (deed) => this.#record(deed),
    }
  }
}

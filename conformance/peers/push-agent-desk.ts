import { readFileSync } from 'node:fs'
import { PrerequisiteFailed } from '../attempt/endings.ts'
import { until } from '../attempt/poll.ts'
import { seededRandom } from '../attempt/random.ts'
import { portsOfGroup } from '../target/processes/find-listener.ts'
import {
  type PushAgentOptions,
  type PushAgentParts,
  type PushAgentProcess,
  startPushAgent,
} from './push-agent-process.ts'
import { PUSH_STORY, type PushChapter } from './push-story.ts'

/** A push agent that attested undisturbed, and what is known of it; it has ended. */
export interface PushStory
  extends Pick<
    PushAgentProcess,
    'id' | 'machine' | 'registrar' | 'verifier' | 'elsewhere' | 'deeds' | 'patience'
  > {
  /** Which chapter each accepted evidence belongs to, in order. */
  readonly chapters: readonly PushChapter[]
  /** Why the story ended before its last chapter; undefined when it did not. */
  readonly brokeOff: string | undefined
  /** Ports on which its processes listened, at each look. */
  readonly ports: readonly (readonly number[])[]
  /** Everything that it wrote to stdout and to stderr. */
  readonly wrote: string
}

/**
 * Starts the push agents of a run. Most of what is asked of one can be read from the same few cycles: they are lived
 * through once, and scenarios look at what was heard.
 */
export class PushAgentDesk {
  readonly #parts: PushAgentParts
  readonly #seed: string
  #story: Promise<PushStory> | undefined
  #made = 0

  constructor(parts: PushAgentParts, seed: string) {
    this.#parts = parts
    this.#seed = seed
  }

  get authority() {
    return this.#parts.authority
  }

  /** The story of this run, told once; when it broke off it is told again. */
  story(): Promise<PushStory> {
    this.#story ??= this.#tell().catch((error) => {
      this.#story = undefined
      throw error
    })
    return this.#story
  }

  /** An agent of its own; whoever asks for it closes it. */
  start(options: PushAgentOptions = {}): Promise<PushAgentProcess> {
    const name = `p${this.#made++}`
    const id = seededRandom(this.#seed, `push agent ${name}`).uuid()
    return startPushAgent(this.#parts, { ...options, id, name })
  }

  /** Waits for the end of a story that is being told. */
  async close(): Promise<void> {
    await this.#story?.catch(() => undefined)
  }

  async #tell(): Promise<PushStory> {
    const [first] = PUSH_STORY
    const agent = await this.start({ ...(first?.set && { verifier: first.set }) })
    try {
      const ports: (readonly number[])[] = []
      const brokeOff = await liveThrough(agent, () => ports.push(portsOfGroup(agent.process.pid)))
      // The values of the PCRs were read when evidence came; the TPM is there until all are.
      await Promise.all(agent.deeds.map(({ known }) => known?.pcrs))
      const { out, err } = agent.process.logs
      await agent.process.stop()
      await until(() => agent.process.ending() !== undefined, { withinMs: 2000 })
      const wrote = [out, err].map((file) => readFileSync(file, 'utf8')).join('\n')
      const { id, machine, registrar, verifier, elsewhere, patience } = agent
      const kept = { id, machine, registrar, verifier, elsewhere, patience }
      return { ...kept, deeds: agent.deeds, chapters: PUSH_STORY, brokeOff, ports, wrote }
    } finally {
      await agent.close()
    }
  }
}

/** One chapter after the other; gives why it broke off, as what was heard until then can be judged all the same. */
async function liveThrough(
  agent: PushAgentProcess,
  onChapter: () => void,
): Promise<string | undefined> {
  try {
    for (const [at, chapter] of PUSH_STORY.entries()) {
      if (chapter.set) agent.verifier.set(chapter.set)
      if (chapter.forgets) agent.verifier.forgetTokens()
      if (chapter.machine) await agent.play(chapter.machine)
      if (chapter.busyMs) await agent.keepTpmBusy(chapter.busyMs)
      await agent.took('evidence', at + 1)
      onChapter()
    }
    return undefined
  } catch (error) {
    if (error instanceof PrerequisiteFailed) return error.message
    throw error
  }
}

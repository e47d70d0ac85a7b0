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
import { PUSH_PHASES, type PushPhase } from './push-phases.ts'

/** A push agent that attested undisturbed, and what is known of it; it has ended. */
export interface PushRecording
  extends Pick<
    PushAgentProcess,
    'id' | 'machine' | 'registrar' | 'verifier' | 'elsewhere' | 'operations' | 'patience'
  > {
  /** Which chapter each accepted evidence belongs to, in order. */
  readonly phases: readonly PushPhase[]
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
export class PushAgentPool {
  readonly #parts: PushAgentParts
  readonly #seed: string
  #story: Promise<PushRecording> | undefined
  #made = 0

  constructor(parts: PushAgentParts, seed: string) {
    this.#parts = parts
    this.#seed = seed
  }

  get authority() {
    return this.#parts.authority
  }

  /** The story of this run, told once; when it broke off it is told again. */
  recording(): Promise<PushRecording> {
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

  async #tell(): Promise<PushRecording> {
    const [first] = PUSH_PHASES
    const agent = await this.start({ ...(first?.set && { verifier: first.set }) })
    try {
      const ports: (readonly number[])[] = []
      const brokeOff = await liveThrough(agent, () => ports.push(portsOfGroup(agent.process.pid)))
      // The values of the PCRs were read when evidence came; the TPM is there until all are.
      await Promise.all(agent.operations.map(({ known }) => known?.pcrs))
      const { out, err } = agent.process.logs
      await agent.process.stop()
      await until(() => agent.process.ending() !== undefined, { withinMs: 2000 })
      const wrote = [out, err].map((file) => readFileSync(file, 'utf8')).join('\n')
      const { id, machine, registrar, verifier, elsewhere, patience } = agent
      const kept = { id, machine, registrar, verifier, elsewhere, patience }
      return { ...kept, operations: agent.operations, phases: PUSH_PHASES, brokeOff, ports, wrote }
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
    for (const [at, phase] of PUSH_PHASES.entries()) {
      if (phase.set) agent.verifier.set(phase.set)
      if (phase.forgets) agent.verifier.forgetTokens()
      if (phase.machine) await agent.play(phase.machine)
      if (phase.busyMs) await agent.keepTpmBusy(phase.busyMs)
      await agent.took('evidence', at + 1)
      onChapter()
    }
    return undefined
  } catch (error) {
    if (error instanceof PrerequisiteFailed) return error.message
    throw error
  }
}

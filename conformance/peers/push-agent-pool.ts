import { readFileSync } from 'node:fs'
import type { Script } from '../../simulator/machine/script.ts'
import type { VerifierSettings } from '../../simulator/services/verifier-truth.ts'
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

/** One attestation cycle, and the changes before it. */
interface PushPhase {
  /** New verifier settings. */
  readonly set?: Partial<VerifierSettings>
  /** Runs on the machine while the agent waits. */
  readonly machine?: Script
  /** Milliseconds for which commands of the harness keep the TPM busy. */
  readonly busyMs?: number
  /** The verifier forgets every token that it issued. */
  readonly forgets?: true
}

/**
 * The phases of the recording: indexes of one and two digits, different PCRs, in ascending order and not, different nonce
 * sizes, the first and the last of what is offered, more entries, a changed PCR, a lost token, a busy TPM.
 */
const PUSH_PHASES: readonly PushPhase[] = [
  { set: { pcrs: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 14], nonceBytes: 20, firstIndex: 9 } },
  {
    set: { pcrs: [10], nonceBytes: 16, chooses: 'last' },
    machine: 'measure /usr/bin/first\nmeasure /usr/bin/second',
  },
  {
    set: { pcrs: [23, 10], nonceBytes: 48, bootLog: false, chooses: 'first' },
    machine: 'extend 23 c0ffee',
  },
  {
    set: { pcrs: [4, 10], nonceBytes: 20, bootLog: true, chooses: 'last' },
    machine: 'measure "/usr/bin/third one"',
    forgets: true,
    busyMs: 800,
  },
]

/** The recording of a push agent that attested without interference and has been stopped. */
export interface PushRecording
  extends Pick<
    PushAgentProcess,
    'id' | 'machine' | 'registrar' | 'verifier' | 'elsewhere' | 'operations' | 'patience'
  > {
  /** The phase of each accepted evidence, in order. */
  readonly phases: readonly PushPhase[]
  /** Why the recording ended before its last phase; undefined if it is complete. */
  readonly brokeOff: string | undefined
  /** Ports on which the agent's processes listened, after each phase. */
  readonly ports: readonly (readonly number[])[]
  /** The agent's stdout and stderr. */
  readonly wrote: string
}

/** What a push agent registered and sent: of a recording, or of an agent that runs. */
export type SentByAgent = Pick<PushRecording, 'operations' | 'id' | 'registrar'>

/**
 * Starts the push agents of a run. Most scenarios check the same few attestation cycles, so these run once and are
 * recorded.
 */
export class PushAgentPool {
  readonly #parts: PushAgentParts
  readonly #seed: string
  #recording: Promise<PushRecording> | undefined
  #made = 0

  constructor(parts: PushAgentParts, seed: string) {
    this.#parts = parts
    this.#seed = seed
  }

  get authority() {
    return this.#parts.authority
  }

  /** The recording of this run, made on the first call; made again if it failed. */
  recording(): Promise<PushRecording> {
    this.#recording ??= this.#record().catch((error) => {
      this.#recording = undefined
      throw error
    })
    return this.#recording
  }

  /** Starts a separate agent. The caller must close it. */
  start(options: PushAgentOptions = {}): Promise<PushAgentProcess> {
    const name = `p${this.#made++}`
    const uuid = seededRandom(this.#seed, `push agent ${name}`).uuid()
    const id = options.capitals ? uuid.toUpperCase() : uuid
    return startPushAgent(this.#parts, { ...options, id, name })
  }

  /** Waits for a recording in progress. */
  async close(): Promise<void> {
    await this.#recording?.catch(() => undefined)
  }

  async #record(): Promise<PushRecording> {
    const [first] = PUSH_PHASES
    const agent = await this.start({ ...(first?.set && { verifier: first.set }) })
    try {
      const ports: (readonly number[])[] = []
      const brokeOff = await runPhases(agent, () => ports.push(portsOfGroup(agent.process.pid)))
      // PCR reads started when evidence arrived; the TPM must run until they finish.
      await Promise.all(agent.operations.map(({ known }) => known?.pcrs))
      const { out, err } = agent.process.logs
      await agent.process.stop()
      await until(() => agent.process.exitReason() !== undefined, { withinMs: 2000 })
      const wrote = [out, err].map((file) => readFileSync(file, 'utf8')).join('\n')
      const { id, machine, registrar, verifier, elsewhere, patience } = agent
      const kept = { id, machine, registrar, verifier, elsewhere, patience }
      return { ...kept, operations: agent.operations, phases: PUSH_PHASES, brokeOff, ports, wrote }
    } finally {
      await agent.close()
    }
  }
}

/** Runs the phases in order. Returns why it stopped early, because checks can still use the recording until then. */
async function runPhases(
  agent: PushAgentProcess,
  onPhase: () => void,
): Promise<string | undefined> {
  try {
    for (const [at, phase] of PUSH_PHASES.entries()) {
      if (phase.set) agent.verifier.set(phase.set)
      if (phase.forgets) agent.verifier.forgetTokens()
      if (phase.machine) await agent.play(phase.machine)
      if (phase.busyMs) await agent.keepTpmBusy(phase.busyMs)
      await agent.took('evidence', at + 1)
      onPhase()
    }
    return undefined
  } catch (error) {
    if (error instanceof PrerequisiteFailed) return error.message
    throw error
  }
}

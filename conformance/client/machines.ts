import { runtimePolicyOf } from '../../simulator/boot-facts.ts'
import { type Machine, startMachine } from '../../simulator/machine.ts'
import { type AttestingMachine, paperMachine } from '../../simulator/paper-machine.ts'
import type { RecordedBoot } from '../../simulator/recorded-boot.ts'
import type { Script } from '../../simulator/script.ts'
import { withSoftKeys } from '../../simulator/soft-machine.ts'
import type { CommandRecord } from '../../simulator/swtpm/broker.ts'
import type { Manufacturer } from '../../simulator/swtpm/manufacturer.ts'
import type { AkKind } from '../../simulator/swtpm/templates.ts'
import type { SeededRandom } from '../runner/random.ts'
import type { Dialect } from './dialect.ts'
import { type PaperAgent, type PaperAgentOptions, paperAgent } from './paper-agent.ts'
import { type PushAgent, type PushAgentOptions, pushAgent } from './push-agent.ts'
import type { RegistrarClient } from './registrar-client.ts'
import type { Transcript } from './transcript.ts'
import type { VerifierClient } from './verifier-client.ts'

/** What all scenarios of a run share to make machines with. */
export interface Workshop {
  /** A short directory for sockets. */
  readonly directory: string
  readonly manufacturer: Manufacturer
  readonly boot: RecordedBoot
  readonly onProcess: (pid: number, what: string) => void
  /** The mark of the run, which every process it starts carries. */
  readonly environment: Readonly<Record<string, string>>
}

export interface BootOptions {
  /** What happens to the machine before anyone knows it, so that its policy accepts it. */
  readonly script?: Script
  /** Its endorsement and attestation keys are outside its TPM, so that it can sign what no TPM would. */
  readonly softKeys?: boolean
  /** Algorithm, scheme and hash of its attestation key. Default RSA-2048 with RSASSA and SHA-256. */
  readonly ak?: AkKind
}

export interface MachinesOptions {
  readonly workshop: Workshop
  /** Distinguishes the machines of this scenario from those of others. */
  readonly prefix: string
  readonly transcript: Transcript
  readonly random: SeededRandom
  readonly registrar: RegistrarClient
  readonly verifier: VerifierClient
  readonly capabilities: readonly string[]
  readonly dialect: Dialect
  readonly onCleanup: (step: () => Promise<void>) => void
}

/** Makes machines for one scenario and ends them with it. */
export class Machines {
  readonly #options: MachinesOptions
  #made = 0

  constructor(options: MachinesOptions) {
    this.#options = options
  }

  /** A machine that went through the recorded boot, and then through a script; nobody knows it yet. */
  async boot({ script = [], softKeys = false, ak }: BootOptions = {}): Promise<Machine> {
    const { workshop, prefix, transcript, onCleanup } = this.#options
    const name = `${prefix}m${this.#made++}`
    let recording = false
    const machine = await startMachine({
      ...workshop,
      name,
      ...(ak === undefined ? {} : { ak }),
      onCommand: (record) => {
        if (recording) recordCommand(transcript, name, record)
      },
    })
    onCleanup(() => machine.close())
    transcript.note(
      `machine ${name}: a virtual TPM with ${machine.uefi.entryCount} firmware events and ${machine.ima.count} IMA entries of the recorded boot`,
    )
    recording = true
    await machine.play(script)
    return softKeys ? withSoftKeys(machine, workshop.manufacturer) : machine
  }

  /** The runtime policy, as JSON text, that accepts exactly what the recorded boot ran. */
  policyOfBoot(): string {
    return JSON.stringify(runtimePolicyOf(this.#options.workshop.boot.ima))
  }

  /** An agent that has keys and no machine: what registers or is added without ever attesting. */
  paperAgent(options: PaperAgentOptions = {}): Promise<PaperAgent> {
    return paperAgent(this.#options, options)
  }

  /** A booted machine with a push agent on it: registered, activated, enrolled and logged in, unless told otherwise. */
  async pushAgent(options: PushAgentOptions & BootOptions = {}): Promise<PushAgent> {
    const machine = await this.boot(options)
    return pushAgent({ ...this.#options, machine, agentId: this.#options.random.uuid() }, options)
  }

  /** A push agent on a machine without a TPM, for what depends on who asks alone; all of them have the same keys. */
  async softAgent(options: PushAgentOptions = {}): Promise<PushAgent<AttestingMachine>> {
    const { random, workshop } = this.#options
    const machine = await paperMachine(workshop.manufacturer)
    return pushAgent({ ...this.#options, machine, agentId: random.uuid() }, options)
  }
}

function recordCommand(transcript: Transcript, machine: string, record: CommandRecord): void {
  const { submissions: _, ...shown } = record
  transcript.add({ lane: 'tpm', at_ms: transcript.elapsed(), machine, ...shown })
}

import { type Machine, startMachine } from '../../../simulator/machine/machine.ts'
import type { PullMachine } from '../../../simulator/machine/pull-machine.ts'
import type { Script } from '../../../simulator/machine/script.ts'
import { withSoftKeys } from '../../../simulator/machine/soft-machine.ts'
import {
  type LightMachine,
  lightMachine,
  stubMachine,
} from '../../../simulator/machine/stub-machine.ts'
import {
  type AttestingMachine,
  unbootedMachine,
} from '../../../simulator/machine/unbooted-machine.ts'
import { runtimePolicyOf } from '../../../simulator/platform/boot-facts.ts'
import type { RecordedBoot } from '../../../simulator/platform/recorded-boot.ts'
import type { CommandRecord } from '../../../simulator/swtpm/broker.ts'
import type { AkKind } from '../../../simulator/swtpm/templates.ts'
import type { Transcript } from '../transcript.ts'
import type { MachinesOptions } from './machine-options.ts'
import { type PullAgent, type PullAgentOptions, pullAgent } from './pull-agent.ts'
import { type PushAgent, type PushAgentOptions, pushAgent } from './push-agent.ts'
import { type SilentAgent, type SilentAgentOptions, silentAgent } from './silent-agent.ts'

export interface BootOptions {
  /** What happens to the machine before anyone knows it, so that its policy accepts it. */
  readonly script?: Script
  /** Its endorsement and attestation keys are outside its TPM, so that it can sign what no TPM would. */
  readonly softKeys?: boolean
  /** Algorithm, scheme and hash of its attestation key. Default RSA-2048 with RSASSA and SHA-256. */
  readonly ak?: AkKind
}

const FEW_ENTRIES = 8

const short = new WeakMap<RecordedBoot, Map<number, RecordedBoot>>()

/** A boot that measured its first files alone; the same one each time, as machines remember what came of a boot. */
function shortened(boot: RecordedBoot, entries: number): RecordedBoot {
  const known = short.get(boot) ?? new Map<number, RecordedBoot>()
  const one = known.get(entries) ?? { ...boot, ima: boot.ima.slice(0, entries) }
  short.set(boot, known.set(entries, one))
  return one
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
    const { factory, prefix, transcript, onCleanup } = this.#options
    const name = `${prefix}m${this.#made++}`
    let recording = false
    const machine = await startMachine({
      ...factory,
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
    return softKeys ? withSoftKeys(machine, factory.manufacturer) : machine
  }

  /** The runtime policy, as JSON text, that accepts exactly what the recorded boot ran. */
  policyOfBoot(): string {
    return JSON.stringify(runtimePolicyOf(this.#options.factory.boot.ima))
  }

  /** An agent that has keys and no machine: what registers or is added without ever attesting. */
  silentAgent(options: SilentAgentOptions = {}): Promise<SilentAgent> {
    return silentAgent(this.#options, options)
  }

  /** A booted machine with a push agent on it: registered, activated, enrolled and logged in, unless told otherwise. */
  async pushAgent(options: PushAgentOptions & BootOptions = {}): Promise<PushAgent> {
    const machine = await this.boot(options)
    return pushAgent({ ...this.#options, machine, agentId: this.#options.random.uuid() }, options)
  }

  /**
   * A pull agent: it listens, is registered and activated, and is added at the verifier, unless told otherwise. Its
   * machine has no TPM, which nobody can see from outside and so many of them cost little, unless it is given one.
   * `boots` is what happens to it before anyone knows it.
   */
  async pullAgent(
    options: PullAgentOptions & { readonly machine?: PullMachine; readonly boots?: Script } = {},
  ): Promise<PullAgent> {
    const { factory, prefix, random } = this.#options
    const name = `${prefix}p${this.#made++}`
    const { manufacturer, boot } = factory
    const label = random.uuid()
    const machine = options.machine ?? (await stubMachine({ name, label, manufacturer, boot }))
    await machine.play(options.boots ?? [])
    return pullAgent({ ...this.#options, machine, agentId: random.uuid() }, options)
  }

  /**
   * A push agent on a machine without a TPM that measures and reboots like any other, and has keys of its own. It went
   * through the first entries of the boot alone, unless told otherwise: what is sent and judged is little.
   */
  async lightAgent(
    options: PushAgentOptions & { readonly entries?: number } = {},
  ): Promise<PushAgent<LightMachine>> {
    const { factory, prefix, random } = this.#options
    const name = `${prefix}l${this.#made++}`
    const { manufacturer } = factory
    const boot = shortened(factory.boot, options.entries ?? FEW_ENTRIES)
    const machine = await lightMachine({ name, label: random.uuid(), manufacturer, boot })
    return pushAgent({ ...this.#options, machine, agentId: random.uuid() }, options)
  }

  /** A push agent on a machine without a TPM, for what depends on who asks alone; all of them have the same keys. */
  async softAgent(options: PushAgentOptions = {}): Promise<PushAgent<AttestingMachine>> {
    const { random, factory } = this.#options
    const machine = await unbootedMachine(factory.manufacturer)
    return pushAgent({ ...this.#options, machine, agentId: random.uuid() }, options)
  }
}

function recordCommand(transcript: Transcript, machine: string, record: CommandRecord): void {
  const { submissions: _, ...shown } = record
  transcript.add({ lane: 'tpm', at_ms: transcript.elapsed(), machine, ...shown })
}

import { type Machine, startMachine } from '../../../simulator/machine/machine.ts'
import { newRsaAttester } from '../../../simulator/machine/native-attester.ts'
import type { PullMachine } from '../../../simulator/machine/pull-machine.ts'
import type { Script } from '../../../simulator/machine/script.ts'
import type { SoftAttester } from '../../../simulator/machine/soft-attester.ts'
import { withSoftKeys } from '../../../simulator/machine/soft-machine.ts'
import {
  type LightMachine,
  lightMachine,
  stubMachine,
} from '../../../simulator/machine/stub-machine.ts'
import {
  type AttestingMachine,
  type UnbootedMachine,
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
  /** Runs before the agent is added, so that its policy accepts the result. */
  readonly script?: Script
  /** Keeps endorsement and attestation keys outside the TPM, so that the machine can sign invalid structures. */
  readonly softKeys?: boolean
  /** Algorithm, scheme and hash of its attestation key. Default RSA-2048 with RSASSA and SHA-256. */
  readonly ak?: AkKind
}

const FEW_ENTRIES = 8

const short = new WeakMap<RecordedBoot, Map<number, RecordedBoot>>()

/** The boot with only its first entries. Cached, because machines cache the result of a boot by identity. */
function shortened(boot: RecordedBoot, entries: number): RecordedBoot {
  const known = short.get(boot) ?? new Map<number, RecordedBoot>()
  const one = known.get(entries) ?? { ...boot, ima: boot.ima.slice(0, entries) }
  short.set(boot, known.set(entries, one))
  return one
}

/** Makes machines for one scenario and stops them with it. */
export class Machines {
  readonly #options: MachinesOptions
  #made = 0
  #booted = 0

  constructor(options: MachinesOptions) {
    this.#options = options
  }

  /** A machine after the recorded boot and a script, without an agent. */
  async boot({ script = [], softKeys = false, ak }: BootOptions = {}): Promise<Machine> {
    const { factory, prefix, transcript, tpmStates = [], onCleanup } = this.#options
    const name = `${prefix}m${this.#made++}`
    let recording = false
    const machine = await startMachine({
      ...factory,
      name,
      ...(ak === undefined ? {} : { ak }),
      booted: tpmStates[this.#booted++],
      onCommand: (record) => {
        if (recording) recordCommand(transcript, name, record)
      },
    })
    onCleanup(() => machine.close())
    if (machine.booted !== undefined) transcript.tpms.push(machine.booted)
    transcript.note(
      `machine ${name}: a virtual TPM with ${machine.uefi.entryCount} firmware events and ${machine.ima.count} IMA entries of the recorded boot`,
    )
    recording = true
    await machine.play(script)
    return softKeys ? withSoftKeys(machine, factory.manufacturer) : machine
  }

  /** The runtime policy as JSON that accepts exactly the files of the recorded boot. */
  policyOfBoot(): string {
    return JSON.stringify(runtimePolicyOf(this.#options.factory.boot.ima))
  }

  /** An agent with keys and no machine. It can register and be added, and never attests. */
  silentAgent(options: SilentAgentOptions = {}): Promise<SilentAgent> {
    return silentAgent(this.#options, options)
  }

  /** A booted machine with a push agent: by default registered, activated, enrolled and logged in. */
  async pushAgent(options: PushAgentOptions & BootOptions = {}): Promise<PushAgent> {
    return this.#pushAgent(await this.boot(options), options)
  }

  /**
   * A pull agent: by default listening, registered, activated and added to the verifier. By default its machine
   * is a stub without a TPM, which a verifier cannot detect and which is cheap. `boots` runs before the agent is added.
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
   * A push agent on a machine without a TPM, with its own soft keys, RSA if the target does not claim `ecc_keys`; it
   * measures and reboots like any other. By default its list has only the first entries of the boot, so that evidence
   * is small.
   */
  async lightAgent(
    options: PushAgentOptions & { readonly entries?: number } = {},
  ): Promise<PushAgent<LightMachine>> {
    const { factory, prefix, random, capabilities } = this.#options
    const name = `${prefix}l${this.#made++}`
    const { manufacturer } = factory
    const boot = shortened(factory.boot, options.entries ?? FEW_ENTRIES)
    const label = random.uuid()
    const key = capabilities.includes('ecc_keys') ? {} : { attester: newRsaAttester(label) }
    const machine = await lightMachine({ name, label, manufacturer, boot, ...key })
    return this.#pushAgent(machine, options)
  }

  /** A push agent on a machine without a TPM, for authorization scenarios. All of them share the same keys, if they are not given an attester. */
  async softAgent(
    options: PushAgentOptions & { readonly attester?: SoftAttester } = {},
  ): Promise<PushAgent<UnbootedMachine>> {
    const { manufacturer } = this.#options.factory
    return this.#pushAgent(await unbootedMachine(manufacturer, options.attester), options)
  }

  #pushAgent<M extends AttestingMachine>(
    machine: M,
    options: PushAgentOptions,
  ): Promise<PushAgent<M>> {
    const agentId = options.id ?? this.#options.random.uuid()
    return pushAgent({ ...this.#options, machine, agentId }, options)
  }
}

function recordCommand(transcript: Transcript, machine: string, record: CommandRecord): void {
  const { submissions: _, ...shown } = record
  transcript.add({ lane: 'tpm', at_ms: transcript.elapsed(), machine, ...shown })
}

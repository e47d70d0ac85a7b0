import { type Machine, type MachineOptions, startMachine } from '../../simulator/machine/machine.ts'
import type { CommandRecord } from '../../simulator/swtpm/broker.ts'
import { enlargeCertificateIndex } from '../../simulator/swtpm/provision.ts'

/** Bytes that follow the EK certificate in a larger NV index. */
const SPARE_BYTES = 300

interface AgentMachineOptions extends Omit<MachineOptions, 'ak'> {
  /** The NV index of its EK certificate is larger than the certificate, as in TPMs of some vendors. */
  readonly largeCertificateIndex?: true | undefined
  /** PCRs that its TPM does not have in any bank. */
  readonly lacksPcrs?: readonly number[] | undefined
}

/** PC Client Platform TPM Profile, 4.6 */
const USUAL_PCRS = Array.from({ length: 24 }, (_, pcr) => pcr)

/**
 * Starts a machine for an agent under test. The agent creates its own attestation key, so the machine's is an ECC key,
 * which is fast to make.
 *
 * @throws {SwtpmError} if no TPM can be started
 */
export async function startAgentMachine({
  largeCertificateIndex,
  lacksPcrs = [],
  ...options
}: AgentMachineOptions): Promise<Machine> {
  const machine = await startMachine({ ...options, ak: 'ecc256' })
  const { tpm, ek } = machine
  try {
    if (largeCertificateIndex) await enlargeCertificateIndex(tpm.transmit, ek, SPARE_BYTES)
    if (lacksPcrs.length > 0) {
      await tpm.pcrAllocate(USUAL_PCRS.filter((pcr) => !lacksPcrs.includes(pcr)))
      await machine.reboot()
    }
    return machine
  } catch (error) {
    await machine.close()
    throw error
  }
}

/** A step that waits for a TPM command. */
export interface CommandTrigger {
  /** Calls `step` once, after the next TPM command for which `isAt` is true; the command after it waits. */
  afterCommand(isAt: (record: CommandRecord) => boolean, step: () => void): void
  /** Gives no step to any command. */
  forget(): void
  /** Shows it a command. */
  see(record: CommandRecord): void
}

export function commandTrigger(): CommandTrigger {
  let awaited: Parameters<CommandTrigger['afterCommand']> | undefined
  return {
    afterCommand(...command) {
      awaited = command
    },
    forget() {
      awaited = undefined
    },
    see(record) {
      if (awaited === undefined || !awaited[0](record)) return
      const [, step] = awaited
      awaited = undefined
      step()
    },
  }
}

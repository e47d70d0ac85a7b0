import { type Machine, type MachineOptions, startMachine } from '../../simulator/machine/machine.ts'
import type { CommandRecord } from '../../simulator/swtpm/broker.ts'
import { enlargeCertificateIndex } from '../../simulator/swtpm/provision.ts'

/** Bytes that follow the EK certificate in a larger NV index. */
const SPARE_BYTES = 300

interface AgentMachineOptions extends Omit<MachineOptions, 'ak'> {
  /** The NV index of its EK certificate is larger than the certificate, as in TPMs of some vendors. */
  readonly largeCertificateIndex?: true | undefined
}

/**
 * Starts a machine for an agent under test. The agent creates its own attestation key, so the machine's is an ECC key,
 * which is fast to make.
 *
 * @throws {SwtpmError} if no TPM can be started
 */
export async function startAgentMachine({
  largeCertificateIndex,
  ...options
}: AgentMachineOptions): Promise<Machine> {
  const machine = await startMachine({ ...options, ak: 'ecc256' })
  if (!largeCertificateIndex) return machine
  try {
    await enlargeCertificateIndex(machine.tpm.transmit, machine.ek, SPARE_BYTES)
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

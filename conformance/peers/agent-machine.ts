import { type Machine, type MachineOptions, startMachine } from '../../simulator/machine/machine.ts'
import type { CommandRecord } from '../../simulator/swtpm/broker.ts'

/**
 * Starts a machine for an agent under test. The agent creates its own attestation key, so the machine's is an ECC key,
 * which is fast to make.
 *
 * @throws {SwtpmError} if no TPM can be started
 */
export function startAgentMachine(options: Omit<MachineOptions, 'ak'>): Promise<Machine> {
  return startMachine({ ...options, ak: 'ecc256' })
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

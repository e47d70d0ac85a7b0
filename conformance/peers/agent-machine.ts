import { type Machine, type MachineOptions, startMachine } from '../../simulator/machine/machine.ts'

/**
 * Starts a machine for an agent under test. The agent creates its own attestation key, so the machine's is an ECC key,
 * which is fast to make.
 *
 * @throws {SwtpmError} if no TPM can be started
 */
export function startAgentMachine(options: Omit<MachineOptions, 'ak'>): Promise<Machine> {
  return startMachine({ ...options, ak: 'ecc256' })
}

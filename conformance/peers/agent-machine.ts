import { type Machine, type MachineOptions, startMachine } from '../../simulator/machine/machine.ts'

/**
 * A machine for an agent that is judged. Its agent makes an attestation key of its own, and so the machine has one that costs
 * little to make. Throws SwtpmError when there is no TPM to be had.
 */
export function startAgentMachine(options: Omit<MachineOptions, 'ak'>): Promise<Machine> {
  return startMachine({ ...options, ak: 'ecc256' })
}

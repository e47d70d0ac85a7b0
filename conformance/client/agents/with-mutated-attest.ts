import type { SoftMachine } from '../../../simulator/machine/soft-machine.ts'
import type { TPMS_ATTEST } from '../../../simulator/tpm/attest.ts'

/** Mutates the fields of an attestation before they are signed. */
export type MutateAttest = (attest: TPMS_ATTEST) => TPMS_ATTEST

/** Runs an attestation with mutated fields. @throws {TypeError} if the machine's keys are in a TPM */
export async function withMutatedAttest<T>(
  machine: object,
  mutate: MutateAttest | undefined,
  attest: () => Promise<T>,
): Promise<T> {
  if (mutate === undefined) return attest()
  if (!isSoft(machine))
    throw new TypeError('only a machine with soft keys can sign a mutated attestation')
  machine.mutateAttest = mutate
  try {
    return await attest()
  } finally {
    machine.mutateAttest = undefined
  }
}

function isSoft(machine: object): machine is SoftMachine {
  return 'mutateAttest' in machine
}

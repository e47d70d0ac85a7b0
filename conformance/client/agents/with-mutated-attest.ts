import type { Attesting } from '../../../simulator/machine/attesting.ts'
import type { SoftMachine } from '../../../simulator/machine/soft-machine.ts'
import type { TPMS_ATTEST } from '../../../simulator/tpm/attest.ts'

/** Bends the fields of an attestation before they are signed. */
export type MutateAttest = (attest: TPMS_ATTEST) => TPMS_ATTEST

/** Lets a machine attest something that is bent before it is signed; one with keys in a TPM cannot do that. */
export async function withMutatedAttest<T>(
  machine: Attesting,
  mutate: MutateAttest | undefined,
  attest: () => Promise<T>,
): Promise<T> {
  if (mutate === undefined) return attest()
  if (!isSoft(machine))
    throw new TypeError('only a machine with soft keys signs what its TPM did not make')
  machine.mutateAttest = mutate
  try {
    return await attest()
  } finally {
    machine.mutateAttest = undefined
  }
}

function isSoft(machine: Attesting): machine is SoftMachine {
  return 'mutateAttest' in machine
}

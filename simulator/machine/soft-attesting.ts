import type { Pcrs } from '../platform/soft-pcrs.ts'
import {
  type Attested,
  type TPMS_ATTEST,
  type TPMS_CLOCK_INFO,
  writeAttest,
} from '../tpm/attest.ts'
import type { Attestation } from '../tpm/commands/attestation.ts'
import { TPM_GENERATED_VALUE, TPM_ST } from '../tpm/constants.ts'
import { digest } from '../tpm/hash.ts'
import { writePcrBlob } from '../tpm/pcr-blob.ts'
import { selectPcrs } from '../tpm/pcr-selection.ts'
import { nameOf } from '../tpm/public.ts'
import { cat } from '../tpm/write.ts'
import type { Attesting } from './attesting.ts'
import type { SoftAttester } from './soft-attester.ts'

/** The parts with which a machine without a TPM attests. */
interface SoftAttestingParts {
  readonly attester: SoftAttester
  readonly pcrs: Pick<Pcrs, 'pcrRead'>
  /** The state of the clock at the next attestation. */
  readonly clockInfo: () => TPMS_CLOCK_INFO
  /** Mutates the structure before it is signed; no change if absent. */
  readonly mutateAttest?: (attest: TPMS_ATTEST) => TPMS_ATTEST
}

const FIRMWARE = 1n
/** Milliseconds on a TPM's clock between two attestations. */
const TICK = 1000n
const NOTHING = new Uint8Array()

/** Attests in software: signs the structures that a TPM would sign, over PCRs kept elsewhere. */
export function softAttesting(
  parts: SoftAttestingParts,
): Pick<Attesting, 'quote' | 'certify' | 'getTime'> {
  const { attester, pcrs, clockInfo, mutateAttest = (attest) => attest } = parts
  const name = nameOf(attester.public)
  const attest = (type: number, extraData: Uint8Array, attested: Attested): Attestation => {
    const header = { magic: TPM_GENERATED_VALUE, type, qualifiedSigner: name, extraData }
    const rest = { clockInfo: clockInfo(), firmwareVersion: FIRMWARE, leftover: NOTHING }
    const message = writeAttest(mutateAttest({ ...header, ...rest, attested }))
    return { message, signature: attester.sign(message) }
  }
  return {
    async quote({ qualifyingData, bank, pcrs: wanted }) {
      const selections = [selectPcrs(bank, wanted)]
      const pcrValues = await pcrs.pcrRead(bank, wanted)
      const values = [...pcrValues.values()]
      const pcrDigest = digest('sha256', cat(...values))
      const attested = { kind: 'quote', pcrSelect: selections, pcrDigest } as const
      const quoted = attest(TPM_ST.ATTEST_QUOTE, qualifyingData, attested)
      return { ...quoted, pcrValues, blob: writePcrBlob(selections, values) }
    },
    certify: async ({ qualifyingData }) =>
      attest(TPM_ST.ATTEST_CERTIFY, qualifyingData, { kind: 'certify', name, qualifiedName: name }),
    async getTime({ qualifyingData }) {
      const now = clockInfo()
      const attested = {
        kind: 'time',
        time: now.clock,
        clockInfo: now,
        firmwareVersion: FIRMWARE,
      } as const
      return attest(TPM_ST.ATTEST_TIME, qualifyingData, attested)
    },
  }
}

/** Returns the clock after one more attestation. */
export function ticked(info: TPMS_CLOCK_INFO): TPMS_CLOCK_INFO {
  return { ...info, clock: info.clock + TICK }
}

/** Returns a clock that advances with each attestation. */
export function tickingClock(from: TPMS_CLOCK_INFO): () => TPMS_CLOCK_INFO {
  let now = from
  return () => {
    now = ticked(now)
    return now
  }
}

import type { FaultSet } from '../faults/fault.ts'
import { type Quote, type QuoteRequest, quotePcrs } from '../platform/quote-pcrs.ts'
import { EK_HANDLE } from '../swtpm/provision.ts'
import type { SigningKey } from '../swtpm/signing-key.ts'
import type { Attestation } from '../tpm/commands/attestation.ts'
import { parseCredentialBlob } from '../tpm/credential-blob.ts'
import { writePcrBlob } from '../tpm/pcr-blob.ts'
import { selectPcrs } from '../tpm/pcr-selection.ts'
import type { Tpm } from '../tpm/tpm.ts'

/** Attestations of a machine. Handles default to the attestation key. Rejects with TpmError. */
export interface Attesting {
  quote(request: QuoteRequest): Promise<Quote>
  /** TPM2_Certify of the key at `object` by the key at `signer`. */
  certify(request: {
    readonly qualifyingData: Uint8Array
    readonly object?: number
    readonly signer?: number
  }): Promise<Attestation>
  /** TPM2_GetTime by the key at `handle`. */
  getTime(request: {
    readonly qualifyingData: Uint8Array
    readonly handle?: number
  }): Promise<Attestation>
  /** Opens a registrar's blob (credential file format); TPM_RC_INTEGRITY if it is for another key. */
  activateCredential(blob: Uint8Array): Promise<Uint8Array>
}

/** Returns the quote after the faults of the machine. */
export function mutateQuote(honest: Quote, { bank }: QuoteRequest, faults: FaultSet): Quote {
  const pcrValues = faults.mutate('pcrs', honest.pcrValues)
  const selections = [selectPcrs(bank, [...pcrValues.keys()])]
  const blob =
    pcrValues === honest.pcrValues ? honest.blob : writePcrBlob(selections, [...pcrValues.values()])
  const message = faults.mutate('quote', honest.message)
  return { message, signature: faults.mutate('signature', honest.signature), pcrValues, blob }
}

/** Attests with one TPM, subject to the faults of its machine. */
export function attesting(tpm: Tpm, ak: SigningKey, faults: FaultSet): Attesting {
  return {
    quote: async (request) => {
      const honest = await quotePcrs(tpm, { handle: ak.handle, ...request })
      return mutateQuote(honest, request, faults)
    },
    certify: ({ qualifyingData, object = ak.handle, signer = ak.handle }) =>
      tpm.certify({ qualifyingData, objectHandle: object, signHandle: signer }),
    getTime: ({ qualifyingData, handle = ak.handle }) =>
      tpm.getTime({ qualifyingData, signHandle: handle }),
    activateCredential: async (blob) => {
      const keys = { activateHandle: ak.handle, keyHandle: EK_HANDLE }
      return tpm.activateCredential({ ...parseCredentialBlob(blob), ...keys })
    },
  }
}

import { parseAttest } from '../tpm/attest.ts'
import type { Attestation } from '../tpm/commands/attestation.ts'
import { type Bank, bankOf, digest } from '../tpm/hash.ts'
import { writePcrBlob } from '../tpm/pcr-blob.ts'
import { selectPcrs } from '../tpm/pcr-selection.ts'
import { parseSignature } from '../tpm/signature.ts'
import type { Tpm } from '../tpm/tpm.ts'
import { cat, equal } from '../tpm/write.ts'

export interface QuoteRequest {
  /** The nonce; TPM2_Quote refuses more than 66 bytes (a TPM2B_DATA when SHA-512 is there) with TPM_RC_SIZE. */
  readonly qualifyingData: Uint8Array
  readonly bank: Bank
  readonly pcrs: readonly number[]
  /** Handle of the signing key; default the attestation key. */
  readonly handle?: number
}

export interface Quote extends Attestation {
  /** The quoted values, ascending by PCR. */
  readonly pcrValues: ReadonlyMap<number, Uint8Array>
  /** Selection and values as `tpm2_quote -F serialized` writes them: 136 + 532·n bytes. */
  readonly blob: Uint8Array
}

const TRIES = 5

/** Whether the signed pcrDigest matches the values; its hash is that of the signature. */
function covers({ message, signature }: Attestation, values: readonly Uint8Array[]): boolean {
  const { attested } = parseAttest(message)
  const signed = parseSignature(signature)
  const hash = signed.kind === 'opaque' ? undefined : bankOf(signed.hash)
  if (attested.kind !== 'quote' || hash === undefined) return false
  return equal(attested.pcrDigest, digest(hash, cat(...values)))
}

/**
 * Reads and quotes PCRs until both have the same values, since another program may extend one in between.
 * Rejects with TpmError if the TPM refuses, and with Error after five attempts.
 */
export async function quotePcrs(tpm: Tpm, request: Required<QuoteRequest>): Promise<Quote> {
  const { qualifyingData, bank, pcrs, handle: signHandle } = request
  const selections = [selectPcrs(bank, pcrs)]
  for (let tries = 0; tries < TRIES; tries += 1) {
    const pcrValues = await tpm.pcrRead(bank, pcrs)
    const made = await tpm.quote({ signHandle, qualifyingData, selections })
    const values = [...pcrValues.values()]
    if (covers(made, values)) return { ...made, pcrValues, blob: writePcrBlob(selections, values) }
  }
  throw new Error(
    `PCRs changed between read and quote ${TRIES} times; stop other programs that extend them`,
  )
}

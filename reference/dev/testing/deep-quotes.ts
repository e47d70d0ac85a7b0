import { createHash } from 'node:crypto'
import { writeDeepQuoteString } from '../../evidence/deep-quote/deep-quote-string.ts'
import type { ClaimedPcrs } from '../../evidence/quote/claimed-pcrs.ts'
import { writePcrBlob } from '../../evidence/quote/pcr-blob.ts'
import type { QuoteParts } from '../../evidence/quote/quote-string.ts'
import { CLAIMED, quoted, type StubAttester } from '../../evidence/testing/stub-attester.ts'
import type { Attest } from '../../tpm/attest.ts'

/** What a deep quote of a test is made of; every member that is left out is right. */
export interface DeepQuoteSource {
  readonly guest: StubAttester
  readonly host: StubAttester
  /** extraData of the guest's quote */
  readonly nonce: Uint8Array
  /** extraData of the host's quote; default: the digest of the guest's TPMS_ATTEST */
  readonly hostNonce?: Uint8Array
  readonly guestAttest?: Partial<Attest>
  readonly hostAttest?: Partial<Attest>
  readonly guestPcrs?: ClaimedPcrs
  readonly hostPcrs?: ClaimedPcrs
  /** Changes the parts after they were signed. */
  readonly pack?: (part: Uint8Array) => Uint8Array
}

export function sha256(...parts: readonly Uint8Array[]): Uint8Array {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return new Uint8Array(hash.digest())
}

/** The text of a deep quote by keys outside any TPM. */
export function stubDeepQuote(source: DeepQuoteSource): string {
  const { guestPcrs = CLAIMED, hostPcrs = CLAIMED } = source
  const guest = partsOf(source.guest, guestPcrs, {
    extraData: source.nonce,
    ...source.guestAttest,
  })
  const host = partsOf(source.host, hostPcrs, {
    extraData: source.hostNonce ?? sha256(guest.message),
    ...source.hostAttest,
  })
  const { pack = (part) => part } = source
  return writeDeepQuoteString({ guest: packed(guest, pack), host: packed(host, pack) })
}

function partsOf(attester: StubAttester, pcrs: ClaimedPcrs, change: Partial<Attest>): QuoteParts {
  return {
    ...attester.attest({ attested: quoted(pcrs), ...change }),
    pcrBlob: writePcrBlob(pcrs),
  }
}

function packed(
  { message, signature, pcrBlob }: QuoteParts,
  pack: (part: Uint8Array) => Uint8Array,
): QuoteParts {
  return { message: pack(message), signature: pack(signature), pcrBlob: pack(pcrBlob) }
}

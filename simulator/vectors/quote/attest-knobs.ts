import { TPM_GENERATED_VALUE, TPM_ST } from '../../tpm/constants.ts'
import { type Bank, digest, HASHES } from '../../tpm/hash.ts'
import { pcrBitmap } from '../../tpm/pcr-selection.ts'
import { cat, filled, text, tpm2b, u8, u16, u32, u64 } from '../../tpm/write.ts'

/** One bank of a signed selection; the stated length of the bitmap is a knob of its own. */
export interface SelectionKnobs {
  /** TPM_ALG_ID. */
  readonly hash: number
  readonly bitmap: Uint8Array
  /** Stated length of the bitmap; its true one unless told. */
  readonly sizeofSelect?: number
}

/** A TPMS_ATTEST (Part 2, 10.12.12) field by field; a `…Size` or `…Count` states a length that need not be true. */
export interface AttestKnobs {
  readonly magic: number
  readonly type: number
  readonly qualifiedSigner: Uint8Array
  readonly qualifiedSignerSize?: number
  readonly extraData: Uint8Array
  readonly extraDataSize?: number
  readonly clock: bigint
  readonly resetCount: number
  readonly restartCount: number
  readonly safe: number
  readonly firmwareVersion: bigint
  readonly selections: readonly SelectionKnobs[]
  readonly selectionCount?: number
  readonly pcrDigest: Uint8Array
  readonly pcrDigestSize?: number
  /** TPMU_ATTEST in place of the quote. */
  readonly attested?: Uint8Array
  /** What follows the structure and is signed with it. */
  readonly trailing?: Uint8Array
}

function writeSelection({ hash, bitmap, sizeofSelect }: SelectionKnobs): Uint8Array {
  return cat(u16(hash), u8(sizeofSelect ?? bitmap.length), bitmap)
}

function writeQuoteInfo(knobs: AttestKnobs): Uint8Array {
  return cat(
    u32(knobs.selectionCount ?? knobs.selections.length),
    ...knobs.selections.map(writeSelection),
    tpm2b(knobs.pcrDigest, knobs.pcrDigestSize),
  )
}

/** TPMS_ATTEST bytes, whatever the knobs say. */
export function attestBytes(knobs: AttestKnobs): Uint8Array {
  return cat(
    u32(knobs.magic),
    u16(knobs.type),
    tpm2b(knobs.qualifiedSigner, knobs.qualifiedSignerSize),
    tpm2b(knobs.extraData, knobs.extraDataSize),
    u64(knobs.clock),
    u32(knobs.resetCount),
    u32(knobs.restartCount),
    u8(knobs.safe),
    u64(knobs.firmwareVersion),
    knobs.attested ?? writeQuoteInfo(knobs),
    knobs.trailing ?? filled(0),
  )
}

/** PCR values of one bank: number -> value, ascending. */
export interface BankValues {
  readonly bank: Bank
  readonly values: ReadonlyMap<number, Uint8Array>
}

/** A made-up value of a PCR: every PCR of every bank has another one. */
export function pcrValue(bank: Bank, pcr: number): Uint8Array {
  return digest(bank, text(`${bank} PCR ${pcr}`))
}

/** Made-up values of these PCRs in one bank. */
export function bankValues(bank: Bank, pcrs: readonly number[]): BankValues {
  return { bank, values: new Map(pcrs.map((pcr) => [pcr, pcrValue(bank, pcr)])) }
}

/** The selection of these banks as a PC writes it. */
export function selectionsOf(banks: readonly BankValues[]): readonly SelectionKnobs[] {
  return banks.map(({ bank, values }) => ({
    hash: HASHES[bank].alg,
    bitmap: pcrBitmap([...values.keys()], 3),
  }))
}

/** Digest over the values in the order of the selection (Part 3, 18.4). */
export function digestOver(banks: readonly BankValues[], bank: Bank = 'sha256'): Uint8Array {
  return digest(bank, cat(...banks.flatMap(({ values }) => [...values.values()])))
}

/** What a sound TPM would attest over a nonce and these banks. */
export function soundAttest(nonce: Uint8Array, banks: readonly BankValues[]): AttestKnobs {
  return {
    magic: TPM_GENERATED_VALUE,
    type: TPM_ST.ATTEST_QUOTE,
    qualifiedSigner: cat(u16(HASHES.sha256.alg), digest('sha256', text('a qualified signer'))),
    extraData: nonce,
    clock: 86_400_000n,
    resetCount: 7,
    restartCount: 2,
    safe: 1,
    firmwareVersion: 0x20240125_00120000n,
    selections: selectionsOf(banks),
    pcrDigest: digestOver(banks),
  }
}

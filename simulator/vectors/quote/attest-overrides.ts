import { TPM_GENERATED_VALUE, TPM_ST } from '../../tpm/constants.ts'
import { type Bank, digest, HASHES } from '../../tpm/hash.ts'
import { pcrBitmap } from '../../tpm/pcr-selection.ts'
import { cat, filled, text, tpm2b, u8, u16, u32, u64 } from '../../tpm/write.ts'

/** One bank of a signed selection, with an override for the stated length of the bitmap. */
export interface SelectionOverrides {
  /** TPM_ALG_ID. */
  readonly hash: number
  readonly bitmap: Uint8Array
  /** Stated length of the bitmap; correct by default. */
  readonly sizeofSelect?: number
}

/** The fields of a TPMS_ATTEST (Part 2, 10.12.12); `…Size` and `…Count` override a stated length. */
export interface AttestOverrides {
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
  readonly selections: readonly SelectionOverrides[]
  readonly selectionCount?: number
  readonly pcrDigest: Uint8Array
  readonly pcrDigestSize?: number
  /** TPMU_ATTEST in place of the quote. */
  readonly attested?: Uint8Array
  /** Signed bytes after the structure. */
  readonly trailing?: Uint8Array
}

function writeSelection({ hash, bitmap, sizeofSelect }: SelectionOverrides): Uint8Array {
  return cat(u16(hash), u8(sizeofSelect ?? bitmap.length), bitmap)
}

function writeQuoteInfo(overrides: AttestOverrides): Uint8Array {
  return cat(
    u32(overrides.selectionCount ?? overrides.selections.length),
    ...overrides.selections.map(writeSelection),
    tpm2b(overrides.pcrDigest, overrides.pcrDigestSize),
  )
}

/** Returns TPMS_ATTEST bytes from any overrides. */
export function attestBytes(overrides: AttestOverrides): Uint8Array {
  return cat(
    u32(overrides.magic),
    u16(overrides.type),
    tpm2b(overrides.qualifiedSigner, overrides.qualifiedSignerSize),
    tpm2b(overrides.extraData, overrides.extraDataSize),
    u64(overrides.clock),
    u32(overrides.resetCount),
    u32(overrides.restartCount),
    u8(overrides.safe),
    u64(overrides.firmwareVersion),
    overrides.attested ?? writeQuoteInfo(overrides),
    overrides.trailing ?? filled(0),
  )
}

/** PCR values of one bank: number -> value, ascending. */
export interface BankValues {
  readonly bank: Bank
  readonly values: ReadonlyMap<number, Uint8Array>
}

/** A synthetic value of a PCR, different for every PCR and bank. */
export function pcrValue(bank: Bank, pcr: number): Uint8Array {
  return digest(bank, text(`${bank} PCR ${pcr}`))
}

/** Synthetic values of these PCRs in one bank. */
export function bankValues(bank: Bank, pcrs: readonly number[]): BankValues {
  return { bank, values: new Map(pcrs.map((pcr) => [pcr, pcrValue(bank, pcr)])) }
}

/** Returns the selection of these banks as a PC writes it. */
export function selectionsOf(banks: readonly BankValues[]): readonly SelectionOverrides[] {
  return banks.map(({ bank, values }) => ({
    hash: HASHES[bank].alg,
    bitmap: pcrBitmap([...values.keys()], 3),
  }))
}

/** Digest over the values in the order of the selection (Part 3, 18.4). */
export function digestOver(banks: readonly BankValues[], bank: Bank = 'sha256'): Uint8Array {
  return digest(bank, cat(...banks.flatMap(({ values }) => [...values.values()])))
}

/** Returns what a correct TPM attests over a nonce and these banks. */
export function soundAttest(nonce: Uint8Array, banks: readonly BankValues[]): AttestOverrides {
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

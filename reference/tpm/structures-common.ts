import { type Codec, list, struct, tpm2b, u16, u32, u64, yesNo } from './codec.ts'

/** Longest digest of any hash a TPM knows. */
const MAX_DIGEST_SIZE = 64

/** TPM2B_DIGEST (Part 2, 10.4.2) */
export const TPM2B_DIGEST = tpm2b('TPM2B_DIGEST', MAX_DIGEST_SIZE)

/** TPM2B_DATA (Part 2, 10.4.3): as long as a hash algorithm id and its digest */
export const TPM2B_DATA = tpm2b('TPM2B_DATA', 2 + MAX_DIGEST_SIZE)

/** TPM2B_NAME (Part 2, 10.5.3): a handle, or a hash algorithm id and a digest */
export const TPM2B_NAME = tpm2b('TPM2B_NAME', 2 + MAX_DIGEST_SIZE)

/** PCRs of one bank, as a bitmap; the first byte holds PCR 0 to 7, PCR 0 in its lowest bit (Part 2, 10.6.2) */
const pcrBitmap: Codec<Uint8Array> = {
  name: 'pcrSelect',
  read(reader) {
    const at = reader.offset
    const size = reader.u8()
    if (size !== 3 && size !== 4) throw reader.error(`expected 3 or 4 bytes, got ${size}`, at)
    return reader.take(size)
  },
  write(writer, value) {
    writer.u8(value.length)
    writer.put(value)
  },
}

/** TPMS_PCR_SELECTION (Part 2, 10.6.2) */
const TPMS_PCR_SELECTION = struct('TPMS_PCR_SELECTION', {
  hash: u16,
  pcrSelect: pcrBitmap,
})

/** TPML_PCR_SELECTION (Part 2, 10.9.7) */
export const TPML_PCR_SELECTION = list('TPML_PCR_SELECTION', u32, TPMS_PCR_SELECTION, 16)

/** PCR numbers of a bitmap, ascending. */
export function pcrsOf(bitmap: Uint8Array): readonly number[] {
  const pcrs: number[] = []
  for (let pcr = 0; pcr < bitmap.length * 8; pcr++)
    if ((bitmap[pcr >> 3] ?? 0) & (1 << (pcr & 7))) pcrs.push(pcr)
  return pcrs
}

/** Bitmap of 24 PCRs with these set. */
export function bitmapOf(pcrs: Iterable<number>): Uint8Array {
  const bitmap = new Uint8Array(3)
  for (const pcr of pcrs) {
    if (!Number.isInteger(pcr) || pcr < 0 || pcr > 23) throw new RangeError(`no PCR ${pcr}`)
    bitmap[pcr >> 3] = (bitmap[pcr >> 3] ?? 0) | (1 << (pcr & 7))
  }
  return bitmap
}

/** TPMS_CLOCK_INFO (Part 2, 10.11.1) */
export const TPMS_CLOCK_INFO = struct('TPMS_CLOCK_INFO', {
  clock: u64,
  resetCount: u32,
  restartCount: u32,
  safe: yesNo,
})

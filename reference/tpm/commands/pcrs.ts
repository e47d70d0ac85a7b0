import { Writer } from '../../bytes/writer.ts'
import type { HashAlgorithm } from '../algorithms.ts'
import { encode, list, nothing, struct, u32 } from '../codec.ts'
import { bitmapOf, pcrsOf, TPM2B_DIGEST, TPML_PCR_SELECTION } from '../structures-common.ts'
import type { Transmit } from '../transports/open-tpm.ts'
import { issue, password } from './command.ts'

/** TPML_PCR_SELECTION of PCRs of one bank, with its count. */
export function selectionOf(bank: HashAlgorithm, pcrs: Iterable<number>): Uint8Array {
  return encode(TPML_PCR_SELECTION, [{ hash: bank.id, pcrSelect: bitmapOf(pcrs) }])
}

const read = struct('PCR_Read', {
  pcrUpdateCounter: u32,
  pcrSelectionOut: TPML_PCR_SELECTION,
  pcrValues: list('TPML_DIGEST', u32, TPM2B_DIGEST, 8),
})

/**
 * TPM2_PCR_Read (Part 3, 22.4) of as many PCRs as wanted, ascending: a TPM gives eight at a time. Nothing keeps others
 * from extending one in between, so only a quote shows whether the values belong together. A PCR that the TPM does
 * not have in this bank is missing from the result.
 */
export async function readPcrs(
  transmit: Transmit,
  bank: HashAlgorithm,
  pcrs: readonly number[],
): Promise<ReadonlyMap<number, Uint8Array>> {
  const values = new Map<number, Uint8Array>()
  for (;;) {
    const missing = pcrs.filter((pcr) => !values.has(pcr))
    const some = missing.length === 0 ? [] : await readSome(transmit, bank, missing)
    if (some.length === 0) return new Map([...values].sort(([one], [other]) => one - other))
    for (const [pcr, value] of some) values.set(pcr, value)
  }
}

async function readSome(
  transmit: Transmit,
  bank: HashAlgorithm,
  pcrs: readonly number[],
): Promise<readonly (readonly [number, Uint8Array])[]> {
  const { parameters } = await issue(transmit, {
    ...{ name: 'PCR_Read', code: 0x17e },
    parameters: selectionOf(bank, pcrs),
    answer: read,
  })
  const selection = parameters.pcrSelectionOut.find(({ hash }) => hash === bank.id)
  const given = selection === undefined ? [] : pcrsOf(selection.pcrSelect)
  return given.flatMap((pcr, at) => {
    const value = parameters.pcrValues[at]
    return value === undefined ? [] : [[pcr, value] as const]
  })
}

/** TPM2_PCR_Extend (Part 3, 22.2) in one bank. */
export async function extendPcr(
  transmit: Transmit,
  bank: HashAlgorithm,
  pcr: number,
  digest: Uint8Array,
): Promise<void> {
  const parameters = new Writer()
  parameters.u32(1)
  parameters.u16(bank.id)
  parameters.put(digest)
  await issue(transmit, {
    ...{ name: 'PCR_Extend', code: 0x182 },
    handles: [pcr],
    sessions: [password()],
    parameters: parameters.finish(),
    answer: nothing,
  })
}

/** TPM2_PCR_Reset (Part 3, 22.8); PCR 16, which is for debugging, can be reset from every locality (PC Client Platform TPM Profile). */
export async function resetPcr(transmit: Transmit, pcr: number): Promise<void> {
  await issue(transmit, {
    ...{ name: 'PCR_Reset', code: 0x13d },
    handles: [pcr],
    sessions: [password()],
    answer: nothing,
  })
}

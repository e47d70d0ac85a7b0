import { EMPTY_PASSWORD, issue, type Transmit } from '../command.ts'
import { TPM_CC, TPM_RH } from '../constants.ts'
import { BANKS, type Bank, HASHES } from '../hash.ts'
import { presentPcrs, readPcrSelections, selectPcrs, writePcrSelections } from '../pcr-selection.ts'
import { cat, u16, u32 } from '../write.ts'

/** One digest for each bank to extend. */
type BankDigests = Readonly<Partial<Record<Bank, Uint8Array>>>

/** TPML_DIGEST_VALUES (Part 2, 10.9.6). */
function writeDigestValues(digests: BankDigests): Uint8Array {
  const values = BANKS.flatMap((bank) => {
    const value = digests[bank]
    return value === undefined ? [] : [cat(u16(HASHES[bank].alg), value)]
  })
  return cat(u32(values.length), ...values)
}

/** TPM2_PCR_Extend (Part 3, 22.2): every given bank in one command. */
export async function pcrExtend(
  transmit: Transmit,
  pcr: number,
  digests: BankDigests,
): Promise<void> {
  await issue(transmit, {
    code: TPM_CC.PCR_Extend,
    handles: [pcr],
    sessions: [EMPTY_PASSWORD],
    parameters: writeDigestValues(digests),
  })
}

/** TPM2_PCR_Reset (Part 3, 22.8): PCR 16 and 23 at locality 0. */
export async function pcrReset(transmit: Transmit, pcr: number): Promise<void> {
  await issue(transmit, { code: TPM_CC.PCR_Reset, handles: [pcr], sessions: [EMPTY_PASSWORD] })
}

async function pcrReadOnce(
  transmit: Transmit,
  bank: Bank,
  wanted: readonly number[],
): Promise<Map<number, Uint8Array>> {
  const parameters = writePcrSelections([selectPcrs(bank, wanted)])
  const answer = (await issue(transmit, { code: TPM_CC.PCR_Read, parameters })).parameters
  answer.u32()
  const given = readPcrSelections(answer).flatMap((selection) => selection.pcrs)
  const count = answer.u32()
  return new Map(given.slice(0, count).map((pcr) => [pcr, answer.tpm2b()]))
}

/**
 * TPM2_PCR_Read (Part 3, 22.4), repeated until all requested PCRs of the bank are read: a TPM returns at most
 * eight. Ascending by PCR; PCRs that the TPM does not implement are left out.
 */
export async function pcrRead(
  transmit: Transmit,
  bank: Bank,
  pcrs: readonly number[],
): Promise<Map<number, Uint8Array>> {
  const values = new Map<number, Uint8Array>()
  let wanted = [...new Set(pcrs)].sort((a, b) => a - b)
  while (wanted.length > 0) {
    const part = await pcrReadOnce(transmit, bank, wanted)
    if (part.size === 0) break
    for (const [pcr, value] of part) values.set(pcr, value)
    wanted = wanted.filter((pcr) => !values.has(pcr))
  }
  return values
}

/**
 * TPM2_PCR_Allocate (Part 3, 22.5) of these PCRs in every bank, from the next TPM reset on. Throws RangeError if the TPM
 * refuses the allocation.
 */
export async function pcrAllocate(transmit: Transmit, pcrs: readonly number[]): Promise<void> {
  const answer = await issue(transmit, {
    code: TPM_CC.PCR_Allocate,
    handles: [TPM_RH.PLATFORM],
    sessions: [EMPTY_PASSWORD],
    parameters: writePcrSelections(BANKS.map((bank) => selectPcrs(bank, pcrs))),
  })
  if (answer.parameters.u8() === 0)
    throw new RangeError(`the TPM cannot allocate the PCRs ${presentPcrs(pcrs)}`)
}

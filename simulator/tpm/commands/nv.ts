import { EMPTY_PASSWORD, issue, type Transmit } from '../command.ts'
import { TPM_ALG, TPM_CC, TPM_RH } from '../constants.ts'
import { Cursor } from '../cursor.ts'
import { cat, tpm2b, u16, u32 } from '../write.ts'

/** Bytes of one NV command; the PC client profile requires no more. */
const CHUNK = 1024

/** The fields of TPMS_NV_PUBLIC (Part 2, 13.5) that are used here. */
interface TPMS_NV_PUBLIC {
  readonly nvIndex: number
  readonly nameAlg: number
  /** TPMA_NV bits. */
  readonly attributes: number
  readonly dataSize: number
}

/** TPM2_NV_DefineSpace (Part 3, 31.3) in the platform hierarchy, without password or policy. */
export async function nvDefineSpace(
  transmit: Transmit,
  index: { readonly nvIndex: number; readonly attributes: number; readonly dataSize: number },
): Promise<void> {
  const nvPublic = cat(
    u32(index.nvIndex),
    u16(TPM_ALG.SHA256),
    u32(index.attributes),
    u16(0),
    u16(index.dataSize),
  )
  await issue(transmit, {
    code: TPM_CC.NV_DefineSpace,
    handles: [TPM_RH.PLATFORM],
    sessions: [EMPTY_PASSWORD],
    parameters: cat(u16(0), tpm2b(nvPublic)),
  })
}

/** TPM2_NV_UndefineSpace (Part 3, 31.4) in the platform hierarchy. */
export async function nvUndefineSpace(transmit: Transmit, nvIndex: number): Promise<void> {
  await issue(transmit, {
    code: TPM_CC.NV_UndefineSpace,
    handles: [TPM_RH.PLATFORM, nvIndex],
    sessions: [EMPTY_PASSWORD],
    parameters: new Uint8Array(),
  })
}

/** TPM2_NV_Write (Part 3, 31.7) by the platform, in as many commands as the data needs. */
export async function nvWrite(
  transmit: Transmit,
  nvIndex: number,
  data: Uint8Array,
): Promise<void> {
  for (let offset = 0; offset < data.length; offset += CHUNK) {
    await issue(transmit, {
      code: TPM_CC.NV_Write,
      handles: [TPM_RH.PLATFORM, nvIndex],
      sessions: [EMPTY_PASSWORD],
      parameters: cat(tpm2b(data.subarray(offset, offset + CHUNK)), u16(offset)),
    })
  }
}

/** TPM2_NV_ReadPublic (Part 3, 31.6). */
export async function nvReadPublic(transmit: Transmit, nvIndex: number): Promise<TPMS_NV_PUBLIC> {
  const { parameters } = await issue(transmit, { code: TPM_CC.NV_ReadPublic, handles: [nvIndex] })
  const area = new Cursor(parameters.tpm2b(), 'TPMS_NV_PUBLIC')
  const head = { nvIndex: area.u32(), nameAlg: area.u16(), attributes: area.u32() }
  area.tpm2b() // authPolicy
  return { ...head, dataSize: area.u16() }
}

/** TPM2_NV_Read (Part 3, 31.13) of the whole index with the index's own empty password. */
export async function nvRead(transmit: Transmit, nvIndex: number): Promise<Uint8Array> {
  const { dataSize } = await nvReadPublic(transmit, nvIndex)
  const parts: Uint8Array[] = []
  for (let offset = 0; offset < dataSize; offset += CHUNK) {
    const { parameters } = await issue(transmit, {
      code: TPM_CC.NV_Read,
      handles: [nvIndex, nvIndex],
      sessions: [EMPTY_PASSWORD],
      parameters: cat(u16(Math.min(CHUNK, dataSize - offset)), u16(offset)),
    })
    parts.push(parameters.tpm2b())
  }
  return cat(...parts)
}

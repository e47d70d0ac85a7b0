import { concat, Writer } from '../../bytes/writer.ts'
import { sized, struct, tpm2b, u16, u32 } from '../codec.ts'
import { TPM2B_DIGEST, TPM2B_NAME } from '../structures-common.ts'
import type { Transmit } from '../transports/open-tpm.ts'
import { issue, password } from './command.ts'
import { TPM_RC, TpmRefusal } from './response-code.ts'

/** TPMS_NV_PUBLIC (Part 2, 13.5) */
const TPMS_NV_PUBLIC = struct('TPMS_NV_PUBLIC', {
  nvIndex: u32,
  nameAlg: u16,
  attributes: u32,
  authPolicy: TPM2B_DIGEST,
  dataSize: u16,
})

const described = struct('NV_ReadPublic', {
  nvPublic: sized('TPM2B_NV_PUBLIC', TPMS_NV_PUBLIC, 256),
  nvName: TPM2B_NAME,
})
const read = struct('NV_Read', { data: tpm2b('TPM2B_MAX_NV_BUFFER', 2048) })

/** Bytes that every TPM gives at a time. */
const CHUNK = 512

/** The contents of an NV index, read with its own empty password; undefined if the index does not exist. */
export async function readNv(transmit: Transmit, index: number): Promise<Uint8Array | undefined> {
  const size = await sizeOf(transmit, index)
  if (size === undefined) return undefined
  const parts: Uint8Array[] = []
  for (let offset = 0; offset < size; offset += CHUNK)
    parts.push(await readPart(transmit, index, offset, Math.min(CHUNK, size - offset)))
  return concat(...parts)
}

/** TPM2_NV_ReadPublic (Part 3, 31.6) */
async function sizeOf(transmit: Transmit, index: number): Promise<number | undefined> {
  try {
    const { parameters } = await issue(transmit, {
      ...{ name: 'NV_ReadPublic', code: 0x169 },
      handles: [index],
      answer: described,
    })
    return parameters.nvPublic.contents.dataSize
  } catch (error) {
    if (error instanceof TpmRefusal && error.code === TPM_RC.HANDLE) return undefined
    throw error
  }
}

/** TPM2_NV_Read (Part 3, 31.13) */
async function readPart(
  transmit: Transmit,
  index: number,
  offset: number,
  size: number,
): Promise<Uint8Array> {
  const parameters = new Writer()
  parameters.u16(size)
  parameters.u16(offset)
  const { parameters: answer } = await issue(transmit, {
    ...{ name: 'NV_Read', code: 0x14e },
    handles: [index, index],
    sessions: [password()],
    parameters: parameters.finish(),
    answer: read,
  })
  return answer.data
}

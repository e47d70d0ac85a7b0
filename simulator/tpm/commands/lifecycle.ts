import { issue, type Transmit } from '../command.ts'
import { TPM_CC, TPM_SU } from '../constants.ts'
import { cat, u16, u32 } from '../write.ts'

/** TPM2_Startup (Part 3, 9.3); default TPM_SU_CLEAR. */
export async function startup(transmit: Transmit, type: number = TPM_SU.CLEAR): Promise<void> {
  await issue(transmit, { code: TPM_CC.Startup, parameters: u16(type) })
}

/** TPM2_Shutdown (Part 3, 9.4); default TPM_SU_CLEAR. */
export async function shutdown(transmit: Transmit, type: number = TPM_SU.CLEAR): Promise<void> {
  await issue(transmit, { code: TPM_CC.Shutdown, parameters: u16(type) })
}

/** TPM2_GetRandom (Part 3, 16.1): at most as many bytes as the TPM's largest digest. */
export async function getRandom(transmit: Transmit, bytesRequested: number): Promise<Uint8Array> {
  const parameters = u16(bytesRequested)
  const answer = await issue(transmit, { code: TPM_CC.GetRandom, parameters })
  return answer.parameters.tpm2b()
}

/** TPM2_GetCapability (Part 3, 30.2). Returns the TPMS_CAPABILITY_DATA, and whether there is more. */
export async function getCapability(
  transmit: Transmit,
  request: { readonly capability: number; readonly property: number; readonly count: number },
): Promise<{ readonly moreData: boolean; readonly capabilityData: Uint8Array }> {
  const parameters = cat(u32(request.capability), u32(request.property), u32(request.count))
  const answer = await issue(transmit, { code: TPM_CC.GetCapability, parameters })
  const moreData = answer.parameters.u8() !== 0
  return { moreData, capabilityData: answer.parameters.rest() }
}

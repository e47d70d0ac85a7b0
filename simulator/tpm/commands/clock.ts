import { EMPTY_PASSWORD, issue, type Transmit } from '../command.ts'
import { TPM_CC, TPM_RH } from '../constants.ts'
import { u64 } from '../write.ts'

/** TPM2_ReadClock (Part 3, 29.1). Returns `time` since the power came and `clock` of the whole life, in milliseconds. */
export async function readClock(
  transmit: Transmit,
): Promise<{ readonly time: bigint; readonly clock: bigint }> {
  const { parameters } = await issue(transmit, { code: TPM_CC.ReadClock })
  return { time: parameters.u64(), clock: parameters.u64() }
}

/** TPM2_ClockSet (Part 3, 29.2): to a later `clock`, in milliseconds; `time` does not change. */
export async function clockSet(transmit: Transmit, clock: bigint): Promise<void> {
  await issue(transmit, {
    code: TPM_CC.ClockSet,
    handles: [TPM_RH.PLATFORM],
    sessions: [EMPTY_PASSWORD],
    parameters: u64(clock),
  })
}

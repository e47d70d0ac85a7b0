import { TPMS_TIME_INFO } from '../attest.ts'
import type { Decoded } from '../codec.ts'
import type { Transmit } from '../transports/open-tpm.ts'
import { issue } from './command.ts'

/** TPM2_ReadClock (Part 3, 29.1): `time` counts milliseconds since the TPM got its power. */
export async function readClock(transmit: Transmit): Promise<Decoded<typeof TPMS_TIME_INFO>> {
  const { parameters } = await issue(transmit, {
    ...{ name: 'ReadClock', code: 0x181 },
    answer: TPMS_TIME_INFO,
  })
  return parameters
}

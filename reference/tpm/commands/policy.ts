import { Writer } from '../../bytes/writer.ts'
import { TPM_ALG_NULL } from '../algorithms.ts'
import { struct, tpm2b } from '../codec.ts'
import type { Transmit } from '../transports/open-tpm.ts'
import { type Authorization, issue, TPM_RH } from './command.ts'
import { flushContext } from './objects.ts'
import { ticket } from './structures.ts'

const TPM_SE_POLICY = 0x01
const SHA256 = 0x000b
const CONTINUE_SESSION = 0x01

const started = struct('StartAuthSession', { nonceTPM: tpm2b('TPM2B_NONCE', 64) })
const satisfied = struct('PolicySecret', {
  timeout: tpm2b('TPM2B_TIMEOUT', 8),
  policyTicket: ticket,
})

/** Input of a policy session. */
interface PolicySecrets {
  /** Authorization of the endorsement hierarchy. */
  readonly endorsement: Authorization
  /** Gives that many unpredictable bytes. */
  random(count: number): Uint8Array
}

/**
 * Runs one command with an endorsement key of the low-range templates, whose policy is
 * PolicySecret(TPM_RH_ENDORSEMENT). The session ends with it, also when it fails.
 */
export async function withEndorsementPolicy<T>(
  transmit: Transmit,
  secrets: PolicySecrets,
  use: (authorization: Authorization) => Promise<T>,
): Promise<T> {
  const session = await startPolicySession(transmit, secrets.random(16))
  try {
    await policySecret(transmit, session, secrets.endorsement)
    return await use({
      sessionHandle: session,
      sessionAttributes: CONTINUE_SESSION,
      hmac: new Uint8Array(),
    })
  } finally {
    await flushContext(transmit, session)
  }
}

/** TPM2_StartAuthSession (Part 3, 11.1): a policy session, neither salted nor bound. */
async function startPolicySession(transmit: Transmit, nonceCaller: Uint8Array): Promise<number> {
  const parameters = new Writer()
  parameters.u16(nonceCaller.length)
  parameters.put(nonceCaller)
  parameters.u16(0)
  parameters.u8(TPM_SE_POLICY)
  parameters.u16(TPM_ALG_NULL)
  parameters.u16(SHA256)
  const { handle } = await issue(transmit, {
    ...{ name: 'StartAuthSession', code: 0x176, givesHandle: true },
    handles: [TPM_RH.NULL, TPM_RH.NULL],
    parameters: parameters.finish(),
    answer: started,
  })
  return handle
}

/** TPM2_PolicySecret (Part 3, 23.4) without nonce, cpHash, reference or expiry. */
async function policySecret(
  transmit: Transmit,
  session: number,
  endorsement: Authorization,
): Promise<void> {
  await issue(transmit, {
    ...{ name: 'PolicySecret', code: 0x151 },
    handles: [TPM_RH.ENDORSEMENT, session],
    sessions: [endorsement],
    parameters: new Uint8Array(10),
    answer: satisfied,
  })
}

import { authSession, EMPTY_PASSWORD, issue, type Transmit } from '../command.ts'
import { TPM_ALG, TPM_CC, TPM_RH, TPM_SE } from '../constants.ts'
import { cat, filled, tpm2b, u8, u16, u32 } from '../write.ts'
import { flushContext } from './objects.ts'

/**
 * The nonce of a session that is neither salted nor bound and uses no HMAC: its value has no effect, and a constant
 * makes transcripts repeatable.
 */
const NONCE_CALLER = filled(16)

/** TPMA_SESSION.continueSession (Part 2, 8.4): the session survives the command, so it is flushed in one place. */
const CONTINUE_SESSION = 0x01

/** TPM2_StartAuthSession (Part 3, 11.1): an unsalted, unbound policy session with SHA-256. Returns its handle. */
export async function startPolicySession(transmit: Transmit): Promise<number> {
  const parameters = cat(
    tpm2b(NONCE_CALLER),
    u16(0),
    u8(TPM_SE.POLICY),
    u16(TPM_ALG.NULL),
    u16(TPM_ALG.SHA256),
  )
  const handles = [TPM_RH.NULL, TPM_RH.NULL]
  const code = TPM_CC.StartAuthSession
  return (await issue(transmit, { code, handles, parameters, responseHandles: 1 })).handle
}

/** TPM2_PolicySecret (Part 3, 23.4) with the empty password of `authHandle`, without cpHash, reference or expiry. */
export async function policySecret(
  transmit: Transmit,
  authHandle: number,
  policySession: number,
): Promise<void> {
  await issue(transmit, {
    code: TPM_CC.PolicySecret,
    handles: [authHandle, policySession],
    sessions: [EMPTY_PASSWORD],
    parameters: cat(u16(0), u16(0), u16(0), u32(0)),
  })
}

/** The two TPM parts of a credential, without their outer sizes. */
export interface Credential {
  /** TPMS_ID_OBJECT: integrity HMAC and encrypted secret. */
  readonly idObject: Uint8Array
  /** Encrypted seed, for the endorsement key. */
  readonly encryptedSecret: Uint8Array
}

/**
 * TPM2_ActivateCredential (Part 3, 12.5) under an endorsement key of the TCG low-range template: opens a policy
 * session, satisfies PolicySecret(TPM_RH_ENDORSEMENT), and returns the secret.
 * Throws TpmError with TPM_RC_INTEGRITY if the credential is for another object's Name.
 */
export async function activateCredential(
  transmit: Transmit,
  request: Credential & { readonly activateHandle: number; readonly keyHandle: number },
): Promise<Uint8Array> {
  const session = await startPolicySession(transmit)
  try {
    await policySecret(transmit, TPM_RH.ENDORSEMENT, session)
    const { parameters } = await issue(transmit, {
      code: TPM_CC.ActivateCredential,
      handles: [request.activateHandle, request.keyHandle],
      sessions: [EMPTY_PASSWORD, authSession(session, CONTINUE_SESSION)],
      parameters: cat(tpm2b(request.idObject), tpm2b(request.encryptedSecret)),
    })
    return parameters.tpm2b()
  } finally {
    await flushContext(transmit, session)
  }
}

import { EMPTY_PASSWORD, issue, type Transmit } from '../command.ts'
import { TPM_ALG, TPM_CC, TPM_RH, TPM_ST } from '../constants.ts'
import type { Cursor } from '../cursor.ts'
import { type TPMS_PCR_SELECTION, writePcrSelections } from '../pcr-selection.ts'
import type { Scheme } from '../public.ts'
import { cat, tpm2b, u16, u32 } from '../write.ts'

/** An attestation in wire form, without outer sizes. */
export interface Attestation {
  /** TPMS_ATTEST bytes. */
  readonly message: Uint8Array
  /** TPMT_SIGNATURE bytes over them. */
  readonly signature: Uint8Array
}

/** TPMT_SIG_SCHEME; TPM_ALG_NULL, the default, selects the scheme of the key. */
function writeSigScheme(scheme: Scheme = { alg: TPM_ALG.NULL }): Uint8Array {
  return cat(u16(scheme.alg), ...(scheme.hash === undefined ? [] : [u16(scheme.hash)]))
}

function attestationIn(parameters: Cursor): Attestation {
  return { message: parameters.tpm2b(), signature: parameters.rest() }
}

/** TPM2_Quote (Part 3, 18.4) over PCRs of one or several banks. */
export async function quote(
  transmit: Transmit,
  request: {
    readonly signHandle: number
    readonly qualifyingData: Uint8Array
    readonly selections: readonly TPMS_PCR_SELECTION[]
    readonly scheme?: Scheme
  },
): Promise<Attestation> {
  const { parameters } = await issue(transmit, {
    code: TPM_CC.Quote,
    handles: [request.signHandle],
    sessions: [EMPTY_PASSWORD],
    parameters: cat(
      tpm2b(request.qualifyingData),
      writeSigScheme(request.scheme),
      writePcrSelections(request.selections),
    ),
  })
  return attestationIn(parameters)
}

/** TPM2_Certify (Part 3, 18.2): that `objectHandle` is loaded in this TPM, signed by `signHandle`. */
export async function certify(
  transmit: Transmit,
  request: {
    readonly objectHandle: number
    readonly signHandle: number
    readonly qualifyingData: Uint8Array
    readonly scheme?: Scheme
  },
): Promise<Attestation> {
  const { parameters } = await issue(transmit, {
    code: TPM_CC.Certify,
    handles: [request.objectHandle, request.signHandle],
    sessions: [EMPTY_PASSWORD, EMPTY_PASSWORD],
    parameters: cat(tpm2b(request.qualifyingData), writeSigScheme(request.scheme)),
  })
  return attestationIn(parameters)
}

/** TPM2_GetTime (Part 3, 18.7): an attestation by the same key whose type is not a quote. */
export async function getTime(
  transmit: Transmit,
  request: {
    readonly signHandle: number
    readonly qualifyingData: Uint8Array
    readonly scheme?: Scheme
  },
): Promise<Attestation> {
  const { parameters } = await issue(transmit, {
    code: TPM_CC.GetTime,
    handles: [TPM_RH.ENDORSEMENT, request.signHandle],
    sessions: [EMPTY_PASSWORD, EMPTY_PASSWORD],
    parameters: cat(tpm2b(request.qualifyingData), writeSigScheme(request.scheme)),
  })
  return attestationIn(parameters)
}

/**
 * TPM2_Sign (Part 3, 20.2). Without a ticket the digest was made outside the TPM, which only an unrestricted key allows, so
 * attestation requires a restricted key. A ticket says that the TPM hashed a message that is no TPMS_ATTEST. Returns
 * TPMT_SIGNATURE bytes.
 */
export async function sign(
  transmit: Transmit,
  request: {
    readonly keyHandle: number
    readonly digest: Uint8Array
    readonly scheme?: Scheme
    /** TPMT_TK_HASHCHECK. */
    readonly ticket?: Uint8Array
  },
): Promise<Uint8Array> {
  const noTicket = cat(u16(TPM_ST.HASHCHECK), u32(TPM_RH.NULL), u16(0))
  const { ticket = noTicket } = request
  const { parameters } = await issue(transmit, {
    code: TPM_CC.Sign,
    handles: [request.keyHandle],
    sessions: [EMPTY_PASSWORD],
    parameters: cat(tpm2b(request.digest), writeSigScheme(request.scheme), ticket),
  })
  return parameters.rest()
}

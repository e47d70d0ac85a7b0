import { concat, Writer } from '../../bytes/writer.ts'
import type { HashAlgorithm, SignatureScheme } from '../algorithms.ts'
import { encode, struct, tpm2b } from '../codec.ts'
import { TPM2B_DATA } from '../structures-common.ts'
import type { Transmit } from '../transports/open-tpm.ts'
import { issue, password } from './command.ts'
import { rest } from './structures.ts'

/** An attestation of a TPM: TPMS_ATTEST and TPMT_SIGNATURE, without outer sizes. */
export interface Attested {
  readonly message: Uint8Array
  readonly signature: Uint8Array
}

/** How a key is to sign. */
export interface Signing {
  readonly scheme: SignatureScheme
  readonly hash: HashAlgorithm
}

/** TPMT_SIG_SCHEME (Part 2, 11.2.1.5) */
function signingScheme({ scheme, hash }: Signing): Uint8Array {
  const writer = new Writer()
  writer.u16(scheme.id)
  writer.u16(hash.id)
  return writer.finish()
}

const attested = struct('attested', { message: tpm2b('TPM2B_ATTEST', 2048), signature: rest })

/**
 * TPM2_Quote (Part 3, 18.4).
 *
 * @param request.selection TPML_PCR_SELECTION with its count
 */
export async function quote(
  transmit: Transmit,
  request: {
    readonly key: number
    readonly qualifyingData: Uint8Array
    readonly signing: Signing
    readonly selection: Uint8Array
  },
): Promise<Attested> {
  const { parameters } = await issue(transmit, {
    ...{ name: 'Quote', code: 0x158 },
    handles: [request.key],
    sessions: [password()],
    parameters: concat(
      encode(TPM2B_DATA, request.qualifyingData),
      signingScheme(request.signing),
      request.selection,
    ),
    answer: attested,
  })
  return parameters
}

/** TPM2_Certify (Part 3, 18.2): that `object` is loaded in this TPM, signed by `key`. */
export async function certify(
  transmit: Transmit,
  request: {
    readonly object: number
    readonly key: number
    readonly qualifyingData: Uint8Array
    readonly signing: Signing
  },
): Promise<Attested> {
  const { parameters } = await issue(transmit, {
    ...{ name: 'Certify', code: 0x148 },
    handles: [request.object, request.key],
    sessions: [password(), password()],
    parameters: concat(encode(TPM2B_DATA, request.qualifyingData), signingScheme(request.signing)),
    answer: attested,
  })
  return parameters
}

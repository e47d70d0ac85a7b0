import type { AttestingMachine } from '../../../simulator/machine/unbooted-machine.ts'
import { base64 } from '../bytes.ts'

/** A defect in the device identity of a registration. */
export interface IdentityDefect {
  /** The agent id in the certification, instead of the registering agent's. */
  readonly agentId?: string
  /** Handle of the key that the IAK certifies, instead of the AIK. */
  readonly object?: number
  /** A quote by the IAK instead of the certification. */
  readonly attestation?: 'quote'
}

/**
 * The device identity members of a registration: IAK and IDevID, their certificates, and the IAK's certification
 * of the AIK for this agent. The interface document does not have them; Keylime agents send them.
 */
export async function deviceMembers(
  machine: AttestingMachine,
  agentId: string,
  defect: IdentityDefect = {},
): Promise<Readonly<Record<string, string>>> {
  const { iak, idevid } = await machine.deviceIdentity()
  const qualifyingData = new TextEncoder().encode(defect.agentId ?? agentId)
  const { message, signature } =
    defect.attestation === 'quote'
      ? await machine.quote({ qualifyingData, bank: 'sha256', pcrs: [0], handle: iak.handle })
      : await machine.certify({
          ...{ qualifyingData, signer: iak.handle },
          ...(defect.object === undefined ? {} : { object: defect.object }),
        })
  return {
    iak_tpm: base64(iak.public),
    iak_cert: base64(iak.certificate),
    idevid_tpm: base64(idevid.public),
    idevid_cert: base64(idevid.certificate),
    iak_attest: base64(message),
    iak_sign: base64(signature),
  }
}

import type { AttestingMachine } from '../../../simulator/machine/unbooted-machine.ts'
import { base64 } from '../bytes.ts'

/** What is not as it should be when a device shows who it is. */
export interface IdentityDefect {
  /** The agent that the certification is for, in place of the one that registers. */
  readonly agentId?: string
  /** Handle of the key that the IAK certifies, in place of the AIK. */
  readonly object?: number
  /** A quote by the IAK, in place of its certification. */
  readonly attestation?: 'quote'
}

/**
 * The members of a registration that name the device: IAK and IDevID, their certificates, and the IAK's certification
 * of the AIK for this agent. The interface document does not know them; agents of Keylime send them.
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

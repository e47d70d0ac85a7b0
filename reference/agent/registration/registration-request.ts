import type { Member, ReplyShape } from '../../api/reply-shape.ts'
import { toBase64 } from '../../bytes/base64.ts'

/** What an agent sends to a registrar. */
export interface Registration {
  readonly agentId: string
  /** TPM2B_PUBLIC of both keys. */
  readonly akPublic: Uint8Array
  readonly ekPublic: Uint8Array
  /** DER; undefined where the TPM has none. */
  readonly ekCertificate: Uint8Array | undefined
  /** PEM, or the placeholder for an agent without TLS server. */
  readonly serverCertificate: string
  /** Undefined for an agent that serves no requests. */
  readonly contactIp?: string | undefined
  readonly contactPort?: number | undefined
}

const member = (name: string, of: Member<Registration>['of']): Member<Registration> => ({
  name,
  of,
})

/**
 * Registration request (interface document, "Registrar agent record"). `ek_tpm` is upstream's: without it a TPM that has
 * no certificate could not be registered (ambiguity EKNOCERT), and registrars in the field ask for it.
 */
export const REGISTRATION_REQUEST: ReplyShape<Registration> = [
  { name: 'agent_id', since: '3.0', of: ({ agentId }) => agentId },
  member('aik_tpm', ({ akPublic }) => toBase64(akPublic)),
  member('ek_tpm', ({ ekPublic }) => toBase64(ekPublic)),
  member('ekcert', ({ ekCertificate }) => ekCertificate && toBase64(ekCertificate)),
  { name: 'mtls_cert', since: '2.0', of: ({ serverCertificate }) => serverCertificate },
  member('ip', ({ contactIp }) => contactIp),
  member('port', ({ contactPort }) =>
    contactPort === undefined ? undefined : String(contactPort),
  ),
]

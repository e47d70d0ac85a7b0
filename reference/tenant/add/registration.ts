import { aboutAgent } from '../known-agent.ts'
import { nonsense, type Server } from '../peers/server.ts'
import { type Members, textIn } from '../read-members.ts'

/** The registrar's record of an agent, as far as it is needed to add it (interface document, "Registrar agent record"). */
export interface Registration {
  /** base64 of a TPM2B_PUBLIC */
  readonly aik_tpm: string
  readonly ek_tpm: string | undefined
  /** base64 of DER; undefined when the TPM has none */
  readonly ekcert: string | undefined
  /** PEM; undefined when the agent serves no TLS, or serves nothing */
  readonly mtls_cert: string | undefined
  readonly ip: string | undefined
  readonly port: string | undefined
  /** How often it has registered. */
  readonly regcount: number
}

/** @throws {TenantFault} also if there is no record */
export async function readRegistration(server: Server, agentId: string): Promise<Registration> {
  const { results } = await server.ask(aboutAgent(server, agentId))
  const aik_tpm = textIn(results, 'aik_tpm')
  if (!aik_tpm) throw nonsense(server.peer, `has agent ${agentId} without its attestation key`)
  const mtls_cert = textIn(results, 'mtls_cert')
  return {
    aik_tpm,
    ek_tpm: textIn(results, 'ek_tpm') || undefined,
    ekcert: textIn(results, 'ekcert') || undefined,
    mtls_cert: mtls_cert === WITHOUT_TLS ? undefined : mtls_cert || undefined,
    ip: textIn(results, 'ip') || undefined,
    port: portIn(results),
    regcount: typeof results.regcount === 'number' ? results.regcount : 1,
  }
}

/** What agents register that serve plain HTTP. */
const WITHOUT_TLS = 'disabled'

/** A number in the record of a registrar, a text elsewhere (ambiguity PORT). */
function portIn({ port }: Members): string | undefined {
  return typeof port === 'number' || typeof port === 'string' ? String(port) : undefined
}

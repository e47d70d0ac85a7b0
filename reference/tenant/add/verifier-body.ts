import { toBase64 } from '../../bytes/base64.ts'
import type { Members } from '../read-members.ts'
import { type Adding, foundBefore } from './adding.ts'
import { addressOf } from './open-agent.ts'

/**
 * The add-agent request (interface document, "Add-agent request"), with upstream's members in addition to the document's: boot
 * policies have two names, and absent values are empty texts where upstream's verifier requires a member.
 */
export async function verifierBody(adding: Adding): Promise<Members> {
  const { request, tenant } = adding
  const { config } = tenant
  const { policies } = request
  const [host, port] = splitAddress(tenant.verifier.peer.address)
  return {
    ...(adding.found.agent === undefined ? {} : await pullMembers(adding)),
    ak_tpm: foundBefore(adding, 'registration').aik_tpm,
    tpm_policy: request.tpmPolicy,
    runtime_policy: '',
    runtime_policy_name: '',
    mb_policy: null,
    mb_policy_name: '',
    ...policies,
    ...('mb_policy' in policies && { mb_refstate: policies.mb_policy }),
    ima_sign_verification_keys: '',
    metadata: request.metadata,
    revocation_key: request.revocationKey,
    accept_tpm_hash_algs: config.accept_tpm_hash_algs,
    accept_tpm_encryption_algs: config.accept_tpm_encryption_algs,
    accept_tpm_signing_algs: config.accept_tpm_signing_algs,
    verifier_ip: request.verifierHost ?? host,
    verifier_port: port,
  }
}

/** The members with which a verifier contacts an agent; push agents have none. */
async function pullMembers(adding: Adding): Promise<Members> {
  const registration = foundBefore(adding, 'registration')
  const { host, port } = addressOf(adding.request, registration)
  return {
    v: toBase64(foundBefore(adding, 'keys').v),
    cloudagent_ip: host,
    cloudagent_port: port,
    mtls_cert: registration.mtls_cert ?? 'disabled',
    supported_version: await foundBefore(adding, 'agent').version(),
  }
}

function splitAddress(address: string): readonly [host: string, port: string] {
  const colon = address.lastIndexOf(':')
  return [address.slice(0, colon), address.slice(colon + 1)]
}

import { checkAgentId } from '../../api/agent-id.ts'
import { type Handler, parameter } from '../../api/call.ts'
import { bodyParser } from '../../api/parse-body.ts'
import { ApiError } from '../../errors.ts'
import type { AgentRow } from '../../storage/database.ts'
import { type AddAgentRequest as AddAgent, AddAgentRequest } from '../agent-shape.ts'
import { checkEnrolledKey } from '../attestation-key.ts'
import { parseTpmPolicyUpload } from '../policies/parse-policy-upload.ts'
import { resolveRuntimePolicy } from '../policies/resolve-runtime-policy.ts'
import type { VerifierParts } from '../verifier-parts.ts'

const parseRequest = bodyParser(AddAgentRequest, 'malformed_request')

/** What is accepted of an agent whose add-agent request does not say. */
const ACCEPTED = {
  hashes: ['sha512', 'sha384', 'sha256'],
  encryption: ['ecc', 'rsa'],
  signing: ['rsassa', 'rsapss', 'ecdsa'],
} as const

/** operational_state of an agent that is not polled but attests by itself (upstream's value). */
const STATE_OF_PUSH_AGENT = 3

/** POST /v2.5/agents/{agent_id}: enrols an agent with its key and its policies. */
export function addAgent(parts: VerifierParts): Handler {
  return async (call) => {
    const agentId = checkAgentId(parameter(call, 'agent_id'))
    const request = parseRequest(call.body)
    const row = newAgent(agentId, request)
    if ((await parts.store.agents.find(agentId)) !== undefined) throw alreadyThere(agentId)
    const runtime_policy_name = await resolveRuntimePolicy(parts.store, agentId, request)
    if (!(await parts.store.agents.add({ ...row, runtime_policy_name })))
      throw alreadyThere(agentId)
    return {}
  }
}

function alreadyThere(agentId: string): ApiError {
  return new ApiError(
    'conflict',
    `Agent of uuid ${agentId} already exists. Please use delete or update.`,
  )
}

function newAgent(agentId: string, request: AddAgent): AgentRow {
  return {
    ...identityMembers(agentId, request),
    ...policyMembers(request),
    ...acceptedMembers(request),
    operational_state: STATE_OF_PUSH_AGENT,
    hash_alg: '',
    sign_alg: '',
    attestation_count: 0,
    failures: 0,
    last_received_quote: 0,
    last_successful_attestation: 0,
    carried: null,
  }
}

type IdentityMembers =
  | 'agent_id'
  | 'ak_tpm'
  | 'enc_alg'
  | 'v'
  | 'ip'
  | 'port'
  | 'mtls_cert'
  | 'supported_version'

function identityMembers(agentId: string, request: AddAgent): Pick<AgentRow, IdentityMembers> {
  return {
    agent_id: agentId,
    ak_tpm: request.ak_tpm,
    enc_alg: checkEnrolledKey(request.ak_tpm),
    v: request.v ?? null,
    ip: request.cloudagent_ip ?? null,
    port: request.cloudagent_port == null ? null : String(request.cloudagent_port),
    mtls_cert: request.mtls_cert ?? null,
    supported_version: request.supported_version ?? '',
  }
}

type PolicyMembers =
  | 'tpm_policy'
  | 'mb_refstate'
  | 'meta_data'
  | 'revocation_key'
  | 'ima_sign_verification_keys'
  | 'runtime_policy_name'

function policyMembers(request: AddAgent): Pick<AgentRow, PolicyMembers> {
  return {
    tpm_policy: parseTpmPolicyUpload(request.tpm_policy || '{}'),
    mb_refstate: checkReferenceState(request.mb_refstate ?? request.mb_policy ?? null),
    meta_data: request.metadata ?? '{}',
    revocation_key: request.revocation_key ?? '',
    ima_sign_verification_keys: request.ima_sign_verification_keys ?? '',
    runtime_policy_name: null,
  }
}

function acceptedMembers(
  request: AddAgent,
): Pick<
  AgentRow,
  'accept_tpm_hash_algs' | 'accept_tpm_encryption_algs' | 'accept_tpm_signing_algs'
> {
  return {
    accept_tpm_hash_algs: JSON.stringify(request.accept_tpm_hash_algs ?? ACCEPTED.hashes),
    accept_tpm_encryption_algs: JSON.stringify(
      request.accept_tpm_encryption_algs ?? ACCEPTED.encryption,
    ),
    accept_tpm_signing_algs: JSON.stringify(request.accept_tpm_signing_algs ?? ACCEPTED.signing),
  }
}

/** A reference state must be a JSON object; an empty one is as good as none (facts of upstream, MB-5). */
function checkReferenceState(text: string | null): string | null {
  if (text === null || text === '') return null
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ApiError('malformed_request', 'mb_refstate: a JSON object is needed', {
      pointer: '/mb_refstate',
    })
  }
  return Object.keys(value).length === 0 ? null : text
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

import { checkAgentId } from '../../api/agent-id.ts'
import { withAnyLength } from '../../api/any-length.ts'
import { bodyParser } from '../../api/bodies/parse-body.ts'
import { type Handler, parameter, versionOf } from '../../api/call.ts'
import { checkRequiredMembers, type RequiredMember } from '../../api/required-members.ts'
import type { ApiVersion } from '../../api/versions.ts'
import { fromBase64 } from '../../bytes/base64.ts'
import type { VerifierConfig } from '../../config/config.ts'
import {
  ApiError,
  bootPolicyExists,
  bootPolicyNotFound,
  policyExists,
  policyNotFound,
} from '../../errors.ts'
import type { EnrolmentConflict } from '../../storage/agent-store.ts'
import type { AgentRow } from '../../storage/databases/database.ts'
import { checkEnrolledKey } from '../attestation-key.ts'
import {
  type AgentMode,
  numberOf,
  type OperationalMove,
  operationalMove,
} from '../operational-state.ts'
import { parseAgentPolicy } from '../policies/parse-agent-policy.ts'
import { parseBootPolicy } from '../policies/parse-boot-policy.ts'
import { parseKeyringUpload, parseTpmPolicyUpload } from '../policies/parse-policy-upload.ts'
import { checkMode } from '../pull/check-mode.ts'
import { moveAcceptance } from '../push/attestation/move-acceptance.ts'
import { type AddAgentRequest as AddAgent, AddAgentRequest } from '../shapes/agent-shape.ts'
import type { VerifierParts } from '../verifier-parts.ts'
import { checkAgentMembers } from './check-agent-members.ts'

/** Before 2.1 a verifier asks the registrar for the key (interface document, "Changelog"). */
const REQUIRED: readonly RequiredMember[] = [{ name: 'ak_tpm', since: '2.1' }]

const parseRequest = bodyParser(AddAgentRequest, 'malformed_request')

/** The accepted algorithms if the add-agent request has none. */
const ACCEPTED = {
  hashes: ['sha512', 'sha384', 'sha256'],
  encryption: ['ecc', 'ecc384', 'ecc521', 'rsa', 'rsa3072', 'rsa4096'],
  signing: ['rsassa', 'rsapss', 'ecdsa'],
} as const

/** POST …/agents/{agent_id}: enrols an agent with its key and its policies. */
export function addAgent(parts: VerifierParts): Handler {
  return async (call) => {
    const agentId = checkAgentId(parameter(call, 'agent_id'))
    const request = parseRequest(call.body)
    checkRequiredMembers(REQUIRED, request, versionOf(call))
    checkAgentMembers(request)
    const policy = await parseAgentPolicy(agentId, request, {
      signatureRequired: parts.config.require_allow_list_signatures,
      readPolicyUpload: parts.readPolicyUpload,
    })
    const bootPolicy = parseBootPolicy(agentId, request)
    const agent = newAgent(parts.random.uuid(), request, versionOf(call))
    const identity = await identityMembers(parts, agentId, request)
    const mode = checkMode(parts.config, identity)
    const row = {
      ...agent,
      ...responsible(parts.config),
      ...identity,
      mode,
      operational_state: firstState(parts.operationalMoves, mode),
      ...firstTimeout(parts),
      runtime_policy_name: policy.name,
      mb_policy_name: bootPolicy.name,
    }
    const conflict = await parts.store.agents.enrol(row, policy.upload, bootPolicy.upload)
    if (conflict !== undefined) throw REFUSALS[conflict](row)
    if (mode === 'pull') parts.poller.wake(agentId)
    return {}
  }
}

/** The error for each enrolment conflict. */
const REFUSALS: Readonly<Record<EnrolmentConflict, (row: AgentRow) => ApiError>> = {
  agent_exists: ({ agent_id }) =>
    new ApiError(
      'conflict',
      `Agent of uuid ${agent_id} already exists. Please use delete or update.`,
    ),
  policy_exists: (row) => policyExists(row.runtime_policy_name ?? ''),
  policy_missing: (row) => policyNotFound(row.runtime_policy_name ?? ''),
  boot_policy_exists: (row) => bootPolicyExists(row.mb_policy_name ?? ''),
  boot_policy_missing: (row) => bootPolicyNotFound(row.mb_policy_name ?? ''),
}

function firstState(moves: readonly OperationalMove[], mode: AgentMode): number {
  const state = numberOf(operationalMove(moves, 'added', { mode })?.to)
  if (state === undefined) throw new Error('operational state: an added agent is in none')
  return state
}

function firstTimeout(parts: VerifierParts): Pick<AgentRow, 'timeout_at'> {
  const first = moveAcceptance(parts, 'added')
  if (first === undefined) throw new Error('acceptance: no move of an added agent')
  return first
}

type Settled =
  | IdentityMembers
  | ResponsibleMembers
  | 'mode'
  | 'operational_state'
  | 'timeout_at'
  | 'runtime_policy_name'
  | 'mb_policy_name'

function newAgent(
  enrolment: string,
  request: AddAgent,
  version: ApiVersion,
): Omit<AgentRow, Settled> {
  return {
    enrolment,
    ...policyMembers(request),
    ...acceptedMembers(request, version),
    hash_alg: '',
    sign_alg: '',
    attestation_count: 0,
    failures: 0,
    started_with: 0,
    last_received_quote: 0,
    last_successful_attestation: 0,
    carried: null,
    public_key: null,
    severity_level: null,
    last_event_id: null,
    regcount_silent: null,
  }
}

type ResponsibleMembers = 'verifier_id' | 'verifier_ip' | 'verifier_port'

function responsible(config: VerifierConfig): Pick<AgentRow, ResponsibleMembers> {
  return { verifier_id: config.verifier_id, verifier_ip: config.ip, verifier_port: config.port }
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

async function identityMembers(
  parts: VerifierParts,
  agentId: string,
  request: AddAgent,
): Promise<Pick<AgentRow, IdentityMembers>> {
  const sent = { v: checkVKey(request.v || null), mtls_cert: request.mtls_cert ?? null }
  const { ak_tpm, mtls_cert } = await attestationKeyOf(parts, agentId, request)
  return {
    agent_id: agentId,
    ak_tpm,
    enc_alg: checkEnrolledKey(ak_tpm),
    v: sent.v,
    ip: request.cloudagent_ip ?? null,
    port: request.cloudagent_port == null ? null : String(request.cloudagent_port),
    mtls_cert: sent.mtls_cert ?? mtls_cert,
    supported_version: request.supported_version ?? '',
  }
}

/** The key that came with the request, or the one that the registrar has. */
async function attestationKeyOf(
  parts: VerifierParts,
  agentId: string,
  { ak_tpm }: AddAgent,
): Promise<Pick<AgentRow, 'ak_tpm' | 'mtls_cert'>> {
  if (ak_tpm) return { ak_tpm, mtls_cert: null }
  const { aik_tpm, mtls_cert } = await parts.lookUpRegistration(agentId)
  return { ak_tpm: aik_tpm, mtls_cert }
}

type PolicyMembers =
  | 'tpm_policy'
  | 'vtpm_policy'
  | 'meta_data'
  | 'revocation_key'
  | 'ima_sign_verification_keys'

function policyMembers(request: AddAgent): Pick<AgentRow, PolicyMembers> {
  return {
    tpm_policy: parseTpmPolicyUpload(request.tpm_policy || '{}'),
    vtpm_policy: parseTpmPolicyUpload(request.vtpm_policy || '{}', 'vtpm_policy'),
    meta_data: request.metadata ?? '{}',
    revocation_key: request.revocation_key ?? '',
    ima_sign_verification_keys: parseKeyringUpload(request.ima_sign_verification_keys ?? ''),
  }
}

function acceptedMembers(
  request: AddAgent,
  version: ApiVersion,
): Pick<
  AgentRow,
  'accept_tpm_hash_algs' | 'accept_tpm_encryption_algs' | 'accept_tpm_signing_algs'
> {
  return {
    accept_tpm_hash_algs: JSON.stringify(request.accept_tpm_hash_algs ?? ACCEPTED.hashes),
    accept_tpm_encryption_algs: JSON.stringify(
      withAnyLength(request.accept_tpm_encryption_algs ?? ACCEPTED.encryption, version),
    ),
    accept_tpm_signing_algs: JSON.stringify(request.accept_tpm_signing_algs ?? ACCEPTED.signing),
  }
}

const V_KEY_BYTES = 32

/** Interface document, "Limits": the V key decodes to 32 bytes. It is a secret, and never repeated. */
function checkVKey(base64: string | null): string | null {
  if (base64 === null || isVKey(base64)) return base64
  throw new ApiError('malformed_request', `v: base64 of ${V_KEY_BYTES} bytes is needed`, {
    pointer: '/v',
  })
}

function isVKey(base64: string): boolean {
  try {
    return fromBase64(base64).length === V_KEY_BYTES
  } catch {
    return false
  }
}

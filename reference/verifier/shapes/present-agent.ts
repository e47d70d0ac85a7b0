import { explicitNames, genericNames } from '../../api/any-length.ts'
import type { Member, ReplyShape } from '../../api/reply-shape.ts'
import type { VerifierConfig } from '../../config/config.ts'
import type { AgentRow } from '../../storage/databases/database.ts'
import { isFailedState } from '../operational-state.ts'
import { type Acceptance, SILENT_INTERVALS } from '../push/attestation/acceptance.ts'

/** The source of a status record. */
export interface StatusSource {
  readonly agent: AgentRow
  readonly config: VerifierConfig
  readonly acceptance: Acceptance
}

/**
 * Interface document, "Verifier agent status", which shows the record of 2.3 and 2.4. Earlier versions have
 * the same, as their paths are the same; 2.5 adds three members, takes none away, and gives `enc_alg` a length.
 */
export const AGENT_STATUS: ReplyShape<StatusSource> = [
  ...ofAgent('operational_state', 'v', 'ip', 'port', 'tpm_policy', 'vtpm_policy', 'meta_data'),
  { name: 'has_mb_refstate', of: ({ agent }) => (agent.mb_policy_name === null ? 0 : 1) },
  { name: 'has_runtime_policy', of: ({ agent }) => (agent.runtime_policy_name === null ? 0 : 1) },
  listOfAgent('accept_tpm_hash_algs'),
  { ...listOfAgent('accept_tpm_encryption_algs', genericNames), until: '2.4' },
  { ...listOfAgent('accept_tpm_encryption_algs', explicitNames), since: '2.5' },
  listOfAgent('accept_tpm_signing_algs'),
  ...ofAgent('hash_alg'),
  { name: 'enc_alg', until: '2.4', of: ({ agent }) => genericAlgorithm(agent.enc_alg) },
  { name: 'enc_alg', since: '2.5', of: ({ agent }) => agent.enc_alg },
  ...ofAgent('sign_alg'),
  { name: 'verifier_id', of: ({ agent, config }) => agent.verifier_id ?? config.verifier_id },
  { name: 'verifier_ip', of: (source) => addressOf(source).ip },
  { name: 'verifier_port', of: (source) => addressOf(source).port },
  ...ofAgent('severity_level', 'last_event_id'),
  ...ofAgent('attestation_count', 'last_received_quote', 'last_successful_attestation'),
  { name: 'attestation_status', since: '2.5', of: attestationStatus },
  {
    name: 'attestation_period',
    since: '2.5',
    of: ({ config }) => `${config.quote_interval}s`,
  },
  {
    name: 'maximum_attestation_interval',
    since: '2.5',
    of: ({ config }) => `${config.quote_interval * SILENT_INTERVALS}s`,
  },
]

function ofAgent(...names: readonly (keyof AgentRow)[]): readonly Member<StatusSource>[] {
  return names.map((name) => ({ name, of: ({ agent }) => agent[name] }))
}

/** Of the verifier that is responsible: the present one, if that is who answers, or the one it was added at. */
function addressOf({ agent, config }: StatusSource) {
  const isOwn = (agent.verifier_id ?? config.verifier_id) === config.verifier_id
  return isOwn ? config : { ip: agent.verifier_ip, port: agent.verifier_port }
}

type ListName = 'accept_tpm_hash_algs' | 'accept_tpm_encryption_algs' | 'accept_tpm_signing_algs'

function listOfAgent(
  name: ListName,
  shown = (names: readonly string[]): readonly string[] => names,
): Member<StatusSource> {
  return { name, of: ({ agent }) => shown(JSON.parse(agent[name])) }
}

/** `rsa2048` was called `rsa` before names had a length, `ecc256` was `ecc` (ambiguity ENCGEN). */
function genericAlgorithm(name: string): string {
  return name.replace(/^(rsa|ecc).*$/, '$1')
}

/**
 * A failure is not forgotten by a later pass: an administrator has to look first. The document has no word for an agent
 * that is silent; it does not count as passing, even if its last evidence passed.
 */
function attestationStatus({ agent, acceptance }: StatusSource): 'PASS' | 'FAIL' | 'PENDING' {
  if (acceptance === 'silent') return 'FAIL'
  if (agent.failures > 0 || isFailedState(agent.operational_state)) return 'FAIL'
  return agent.attestation_count > agent.started_with ? 'PASS' : 'PENDING'
}

import type { Parts } from '../../compose/parts.ts'
import { SHIPPED_PARTS } from '../../compose/parts.ts'
import { inProcessEvaluators } from '../../verifier/evaluation/in-process-evaluator.ts'
import { AGENT_MUTANTS } from './agent/agent-mutants.ts'
import { PUSH_CONDUCT_MUTANTS } from './agent/push-agent-conduct-mutants.ts'
import { PUSH_DOCUMENT_MUTANTS } from './agent/push-agent-document-mutants.ts'
import { PUSH_EVIDENCE_MUTANTS } from './agent/push-agent-evidence-mutants.ts'
import { TENANT_MUTANTS } from './agent/tenant-mutants.ts'
import { TENANT_WEB_MUTANTS } from './agent/tenant-web-mutants.ts'
import { AUTHORIZATION_MUTANTS } from './authorization-mutants.ts'
import { CERTIFICATE_MUTANTS } from './certificate-mutants.ts'
import { DEEP_QUOTE_MUTANTS } from './deep-quote-mutants.ts'
import { BOOT_MUTANTS } from './evidence/boot-mutants.ts'
import { EVALUATION_MUTANTS } from './evidence/evaluation-mutants.ts'
import { EVALUATOR_MUTANTS } from './evidence/evaluator-mutants.ts'
import { EVIDENCE_MUTANTS } from './evidence/evidence-mutants.ts'
import type { Mutant } from './evidence/list-minus-one.ts'
import { MUTATED_CHECKS } from './evidence/mutated-checks.ts'
import { POLICY_MUTANTS } from './evidence/policy-mutants.ts'
import { REPORT_MUTANTS } from './evidence/report-mutants.ts'
import { TRUSTING_MUTANTS } from './evidence/trusting-mutants.ts'
import { HTTP_MUTANTS } from './http-mutants.ts'
import { LEGACY_MUTANTS } from './legacy-mutants.ts'
import { REGISTRATION_MUTANTS } from './registration-mutants.ts'
import { UNSERVED_MUTANTS } from './unserved-mutants.ts'
import { ATTESTATION_MUTANTS } from './verifier/attestation-mutants.ts'
import { FAILURE_MUTANTS } from './verifier/failure-mutants.ts'
import { HISTORY_MUTANTS } from './verifier/history-mutants.ts'
import { LOCKOUT_MUTANTS } from './verifier/lockout-mutants.ts'
import { POLLING_MUTANTS } from './verifier/polling-mutants.ts'
import { SESSION_MUTANTS } from './verifier/session-mutants.ts'
import { VERIFIER_MUTANTS } from './verifier/verifier-mutants.ts'
import { VERSION_MUTANTS } from './version-mutants.ts'

export const MUTANTS: readonly Mutant[] = [
  ...TRUSTING_MUTANTS,
  ...MUTATED_CHECKS,
  ...BOOT_MUTANTS,
  ...EVIDENCE_MUTANTS,
  ...EVALUATION_MUTANTS,
  ...REGISTRATION_MUTANTS,
  ...DEEP_QUOTE_MUTANTS,
  ...SESSION_MUTANTS,
  ...VERIFIER_MUTANTS,
  ...LOCKOUT_MUTANTS,
  ...POLICY_MUTANTS,
  ...FAILURE_MUTANTS,
  ...ATTESTATION_MUTANTS,
  ...REPORT_MUTANTS,
  ...HTTP_MUTANTS,
  ...AUTHORIZATION_MUTANTS,
  ...VERSION_MUTANTS,
  ...LEGACY_MUTANTS,
  ...CERTIFICATE_MUTANTS,
  ...AGENT_MUTANTS,
  ...POLLING_MUTANTS,
  ...TENANT_MUTANTS,
  ...TENANT_WEB_MUTANTS,
  ...PUSH_DOCUMENT_MUTANTS,
  ...PUSH_EVIDENCE_MUTANTS,
  ...PUSH_CONDUCT_MUTANTS,
]

/** Stands for the reference as it ships, where a target file needs its clock moved. */
const UNCHANGED: Mutant = { id: 'shipped', defect: 'none', parts: {} }

/**
 * The shipped parts with the mutant's in their place. A mutant evaluates in its own thread: checks are functions, which
 * do not cross to another, and hundreds of short-lived processes need no more threads.
 */
export function mutantParts(id: string): Parts {
  const mutant = [
    UNCHANGED,
    ...MUTANTS,
    ...HISTORY_MUTANTS,
    ...EVALUATOR_MUTANTS,
    ...UNSERVED_MUTANTS,
  ].find((one) => one.id === id)
  if (mutant === undefined) throw new Error(`there is no mutant called ${id}`)
  return { ...SHIPPED_PARTS, evaluator: inProcessEvaluators(), ...mutant.parts }
}

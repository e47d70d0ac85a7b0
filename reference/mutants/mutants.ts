import type { Parts } from '../compose.ts'
import { SHIPPED_PARTS } from '../compose.ts'
import { evaluatingHere } from '../verifier/evaluation/evaluate-here.ts'
import { ATTESTATION_MUTANTS } from './attestation-mutants.ts'
import { AUTHORIZATION_MUTANTS } from './authorization-mutants.ts'
import { BENT_CHECKS } from './bent-checks.ts'
import { CERTIFICATE_MUTANTS } from './certificate-mutants.ts'
import { EVALUATION_MUTANTS } from './evaluation-mutants.ts'
import { EVIDENCE_MUTANTS } from './evidence-mutants.ts'
import { FAILURE_MUTANTS } from './failure-mutants.ts'
import { HTTP_MUTANTS } from './http-mutants.ts'
import type { Mutant } from './list-minus-one.ts'
import { LOCKOUT_MUTANTS } from './lockout-mutants.ts'
import { POLICY_MUTANTS } from './policy-mutants.ts'
import { REGISTRATION_MUTANTS } from './registration-mutants.ts'
import { SESSION_MUTANTS } from './session-mutants.ts'
import { VERIFIER_MUTANTS } from './verifier-mutants.ts'
import { VERSION_MUTANTS } from './version-mutants.ts'

export const MUTANTS: readonly Mutant[] = [
  ...BENT_CHECKS,
  ...EVIDENCE_MUTANTS,
  ...EVALUATION_MUTANTS,
  ...REGISTRATION_MUTANTS,
  ...SESSION_MUTANTS,
  ...VERIFIER_MUTANTS,
  ...LOCKOUT_MUTANTS,
  ...POLICY_MUTANTS,
  ...FAILURE_MUTANTS,
  ...ATTESTATION_MUTANTS,
  ...HTTP_MUTANTS,
  ...AUTHORIZATION_MUTANTS,
  ...VERSION_MUTANTS,
  ...CERTIFICATE_MUTANTS,
]

/**
 * The shipped parts with the mutant's in their place. A mutant evaluates in its own thread: checks are functions, which
 * do not cross to another, and hundreds of processes that judge a handful of times need not start more threads.
 */
export function mutantParts(id: string): Parts {
  const mutant = MUTANTS.find((one) => one.id === id)
  if (mutant === undefined) throw new Error(`there is no mutant called ${id}`)
  return { ...SHIPPED_PARTS, evaluator: evaluatingHere(), ...mutant.parts }
}

import type { FuzzKind, RegistrationKind } from '../kinds.ts'
import type { Mutation } from '../stages.ts'
import { ATTEST_MUTATIONS } from './attest.ts'
import { BODY_MUTATIONS } from './body.ts'
import { BOOTPOLICY_MUTATIONS } from './bootpolicy.ts'
import { EVENTLOG_MUTATIONS } from './eventlog.ts'
import { IMALOG_MUTATIONS } from './imalog.ts'
import { PCR_MUTATIONS } from './pcrs.ts'
import { POLICY_MUTATIONS } from './policy.ts'
import { REQUEST_MUTATIONS } from './request.ts'
import { SIGNATURE_MUTATIONS } from './signature.ts'

/** The mutations of evidence by kind; registrations have catalogues of their own. */
export const EVIDENCE_MUTATIONS: Readonly<
  Record<Exclude<FuzzKind, RegistrationKind>, readonly Mutation[]>
> = {
  quote: [...ATTEST_MUTATIONS, ...REQUEST_MUTATIONS, ...BODY_MUTATIONS],
  signature: SIGNATURE_MUTATIONS,
  pcrs: PCR_MUTATIONS,
  imalog: IMALOG_MUTATIONS,
  policy: POLICY_MUTATIONS,
  eventlog: EVENTLOG_MUTATIONS,
  bootpolicy: BOOTPOLICY_MUTATIONS,
}

/** All mutations, for a search by id. */
export const ALL_EVIDENCE_MUTATIONS: readonly Mutation[] = Object.values(EVIDENCE_MUTATIONS).flat()

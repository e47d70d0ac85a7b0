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

/** The mutations of the kinds that mutate single evidence. */
const OF_ONE_KIND = {
  quote: [...ATTEST_MUTATIONS, ...REQUEST_MUTATIONS, ...BODY_MUTATIONS],
  signature: SIGNATURE_MUTATIONS,
  pcrs: PCR_MUTATIONS,
  imalog: IMALOG_MUTATIONS,
  policy: POLICY_MUTATIONS,
  eventlog: EVENTLOG_MUTATIONS,
  bootpolicy: BOOTPOLICY_MUTATIONS,
}

/** All mutations, for a search by id. */
export const ALL_EVIDENCE_MUTATIONS: readonly Mutation[] = Object.values(OF_ONE_KIND).flat()

/** What a machine, or what is asked of it, can have changed since its last evidence; bytes that cannot be read say nothing of that. */
const SINCE: readonly Mutation[] = ALL_EVIDENCE_MUTATIONS.filter(
  ({ stage }) => stage === 'machine' || stage === 'members' || stage === 'draft',
)

/** The mutations of evidence by kind; registrations have catalogues of their own. */
export const EVIDENCE_MUTATIONS: Readonly<
  Record<Exclude<FuzzKind, RegistrationKind>, readonly Mutation[]>
> = { ...OF_ONE_KIND, sequence: SINCE }

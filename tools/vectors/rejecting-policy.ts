import type { Policy, Vector } from './vector.ts'

/** Requirement -> the policy that rejects evidence which violates it. */
const POLICIES: Readonly<Record<string, Policy>> = {
  'VER-EVIDENCE-PCR-POLICY': 'tpm_policy',
  'VER-EVIDENCE-RUNTIME-JUDGES': 'runtime_policy',
  'VER-EVIDENCE-IMA-SIGNATURE': 'runtime_policy',
  'VER-EVIDENCE-BOOT-JUDGES': 'mb_policy',
  'VER-EVIDENCE-BOOT-LOG-NEEDED': 'mb_policy',
  'VER-EVIDENCE-BOOT-PCRS': 'mb_policy',
}

/** Quotes without PCRs that the static policy names: consistent, but for it. */
const WITHOUT_PCRS: readonly string[] = [
  ...['e2-22-bank-sm3', 'e2-24-subset', 'e2-24-another-bank', 'e2-24-mask-reversed'],
]

/** Evidence that another check rejects too. */
const REJECTED_ANYWAY: readonly string[] = [
  'runtime-policy-a-file-that-is-not-listed-behind-the-template-hash-of-a-listed-one',
  'runtime-policy-a-file-with-its-digest-and-a-byte-more',
  'measurement-list-a-path-with-a-zero-byte-and-more-which-was-measured-so',
  'measurement-list-a-path-in-the-template-ima-with-a-zero-byte-and-more-which-was-measured-so',
  'measurement-list-an-entry-with-an-unlisted-digest-before-a-listed-one',
  'measurement-list-an-entry-with-a-listed-digest-before-an-unlisted-one',
  'measurement-list-an-entry-with-an-unlisted-name-before-a-listed-one',
  'measurement-list-an-entry-with-a-listed-name-before-an-unlisted-one',
]

/** The policy without which the evidence would be valid; undefined if there is none. */
export function rejectingPolicy({
  id,
  requirements,
  expected,
  reason,
}: Vector): Policy | undefined {
  if (WITHOUT_PCRS.includes(id)) return 'tpm_policy'
  if (expected !== 'invalid' || REJECTED_ANYWAY.includes(id)) return undefined
  if (reason !== undefined && reason !== 'policy_violation') return undefined
  return requirements.flatMap((requirement) => POLICIES[requirement] ?? [])[0]
}

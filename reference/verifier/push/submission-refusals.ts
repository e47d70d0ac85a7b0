import { ApiError, type ErrorCode } from '../../errors.ts'
import type { AttestationRow } from '../../storage/databases/database.ts'
import { type Stage, standingAfter } from './attestation/stages.ts'

/** A submission before its body is read. */
interface Submission {
  readonly latest: Pick<AttestationRow, 'index' | 'stage' | 'challenges_expire_at'>
  /** As the path has it. */
  readonly index: string
  readonly now: number
}

/** A reason to refuse evidence for an attestation; codes and order are upstream's. */
export interface SubmissionRefusal {
  readonly id: string
  readonly why: string
  readonly code: ErrorCode
  refuses(submission: Submission): boolean
  detail(submission: Submission): string
}

export const submissionRefusals: readonly SubmissionRefusal[] = [
  {
    id: 'submission.older',
    why: 'of two challenges that wait the older one is easier to have found an answer for',
    code: 'old_attestation',
    refuses: ({ latest, index }) => index !== 'latest' && index !== String(latest.index),
    detail: ({ latest }) => `Only the latest attestation (${latest.index}) accepts evidence.`,
  },
  {
    id: 'submission.second',
    why: 'a verdict must not be asked for until it pleases',
    code: 'evidence_immutable',
    refuses: ({ latest }) =>
      standingAfter(latest.stage as Stage, 'evidence_accepted') === undefined,
    detail: () => 'Evidence was already received for this attestation.',
  },
  {
    id: 'submission.late',
    why: 'old evidence does not show the present state',
    code: 'challenges_expired',
    refuses: ({ latest, now }) => latest.challenges_expire_at <= now,
    detail: () => 'The challenge of this attestation has expired.',
  },
]

/** Refuses with the first rule that applies. */
export function checkSubmission(
  refusals: readonly SubmissionRefusal[],
  submission: Submission,
): void {
  const refusal = refusals.find((one) => one.refuses(submission))
  if (refusal !== undefined) throw new ApiError(refusal.code, refusal.detail(submission))
}

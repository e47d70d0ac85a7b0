import { whyUnread } from '../../../conformance/catalogue/adversarial/evidence-forms.ts'
import { evidenceRequest } from '../../../conformance/catalogue/adversarial/evidence-request.ts'
import type { NearMiss } from '../../../conformance/catalogue/adversarial/near-misses/near-miss.ts'
import { NEAR_MISS_GROUPS } from '../../../conformance/catalogue/adversarial/near-misses/near-miss-groups.ts'
import type { Context, Scenario } from '../../../conformance/scenario.ts'
import { checkFailures, FAILURE_ROWS } from '../../../conformance/steps/evidence-failures.ts'
import { answerIn, NOT_VALID } from '../../../conformance/steps/evidence-validity.ts'

const VALID = 'VER-EVIDENCE-VALID'

/**
 * Returns one scenario for each group of near misses: valid and invalid evidence, one after the other, so that a
 * verifier that remembers an answer gives a wrong one.
 */
export function nearMissFamily(place: string, twin: string): readonly Scenario[] {
  return NEAR_MISS_GROUPS.map(({ id, title, rows, needs }) => ({
    id: `${place}.${id}`,
    title,
    requirements: [...new Set(rows.map(({ breaks = VALID }) => breaks)), ...FAILURE_ROWS],
    role: 'verifier',
    since: '2.4',
    until: '2.5',
    variantOf: twin,
    ...(needs && { needs }),
    async run(context) {
      const unread = rows.map(({ forms = [] }) => whyUnread(forms, context.verifier.dialect))
      const [why] = unread
      if (why !== undefined && !unread.includes(undefined)) context.notApplicable(why)
      let isRejected = true
      for (const [at, row] of rows.entries()) {
        if (unread[at] !== undefined || (row.again && !isRejected)) continue
        isRejected = await checkRow(context, row)
      }
    },
  }))
}

/** Returns whether the evidence was rejected, as it must be. */
async function checkRow(context: Context, row: NearMiss): Promise<boolean> {
  const { verifier, check } = context
  const { sends, breaks = VALID, evidence } = row
  const reply = await verifier.verifyEvidence(evidenceRequest(evidence()), sends)
  const answer = check(breaks, `valid of ${sends}`).of(answerIn(reply))
  if (breaks === VALID) {
    answer.is(true)
    return false
  }
  const isRejected = answer.matches(...NOT_VALID)
  if (isRejected) checkFailures(context, sends, reply)
  return isRejected
}

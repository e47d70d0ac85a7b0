import { type Handler, versionOf } from '../../../api/call.ts'
import { present } from '../../../api/reply-shape.ts'
import { presentEvaluation, readSentEvidence } from '../../evidence-request.ts'
import type { VerifierParts } from '../../verifier-parts.ts'

/**
 * POST …/verify/evidence: evaluates evidence that a third party sends, in one call and without an
 * agent record. Unreadable input is the caller's fault (400).
 */
export function verifyEvidence(parts: VerifierParts): Handler {
  return async (call) => {
    const evaluation = await parts.evaluator.evaluateSent({
      kind: 'sent',
      evidence: readSentEvidence(call.body),
      ignoreTomtouErrors: parts.config.ignore_tomtou_errors,
      bootPolicyName: parts.config.measured_boot_policy_name,
    })
    const verdict = presentEvaluation(evaluation)
    return { body: present(parts.replies.verdict, verdict, versionOf(call)) }
  }
}

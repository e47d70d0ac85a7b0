import { type Handler, UnreadBody, versionOf } from '../../../api/call.ts'
import { present } from '../../../api/reply-shape.ts'
import type { ApiVersion } from '../../../api/versions.ts'
import {
  type EvidenceRequest,
  type EvidenceVerdict,
  presentEvaluation,
  readEvidenceRequest,
} from '../../evidence-request.ts'
import { evaluateTee } from '../../tee/evaluate-tee.ts'
import type { VerifierParts } from '../../verifier-parts.ts'

/**
 * POST …/verify/evidence: evaluates evidence that a third party sends, in one call and without an
 * agent record. Unreadable input is the caller's fault (400).
 */
export function verifyEvidence(parts: VerifierParts): Handler {
  return async (call) => {
    const version = versionOf(call)
    const verdict =
      call.body instanceof UnreadBody
        ? await verdictOnUnread(call.body, version, parts)
        : await verdictOn(readEvidenceRequest(call.body, version), parts)
    return { body: present(parts.replies.verdict, verdict, version) }
  }
}

async function verdictOnUnread(
  { bytes }: UnreadBody,
  version: ApiVersion,
  { config, evaluator }: VerifierParts,
): Promise<EvidenceVerdict> {
  const task = { kind: 'unread', body: bytes, version, ...settingsOf(config) } as const
  return presentEvaluation(await evaluator.evaluateUnread(task))
}

async function verdictOn(
  { type, evidence }: EvidenceRequest,
  { config, evaluator, teeRules, clock }: VerifierParts,
): Promise<EvidenceVerdict> {
  if (type === 'tee') return evaluateTee(evidence, teeRules, clock.now())
  const task = { kind: 'sent', evidence, ...settingsOf(config) } as const
  return presentEvaluation(await evaluator.evaluateSent(task))
}

function settingsOf(config: VerifierParts['config']) {
  return {
    ignoreTomtouErrors: config.ignore_tomtou_errors,
    bootPolicyName: config.measured_boot_policy_name,
  }
}

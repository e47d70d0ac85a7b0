import type { ReplyShape } from '../../api/reply-shape.ts'
import type { EvidenceVerdict } from '../evidence-request.ts'
import { AGENT_STATUS, type StatusSource } from './present-agent.ts'

/** The replies of the verifier whose members depend on the version. */
export interface VerifierReplies {
  readonly agentStatus: ReplyShape<StatusSource>
  readonly verdict: ReplyShape<EvidenceVerdict>
}

/** Interface document, "Verify-evidence request and response": `valid` is a number before 2.5, which brings `claims`. */
const VERDICT: ReplyShape<EvidenceVerdict> = [
  { name: 'valid', until: '2.4', of: ({ valid }) => Number(valid) },
  { name: 'valid', since: '2.5', of: ({ valid }) => valid },
  { name: 'claims', since: '2.5', of: ({ claims }) => claims },
  { name: 'failures', of: ({ failures }) => failures },
]

export const verifierReplies: VerifierReplies = { agentStatus: AGENT_STATUS, verdict: VERDICT }

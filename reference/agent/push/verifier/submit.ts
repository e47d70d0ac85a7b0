import { collectEvidence, Unacceptable } from '../collect.ts'
import type { StateHandler } from '../state-handler.ts'
import { askVerifier } from './ask-verifier.ts'
import { attestationsOf } from './negotiate.ts'

/** Phase 2: collects the requested evidence, and sends it once. */
export const submit: StateHandler = async (environment, { token, challenge }) => {
  if (challenge === undefined) throw new TypeError('there is nothing to attest')
  let evidence_collected: readonly object[]
  try {
    evidence_collected = await collectEvidence(environment.rules.collectors, environment, challenge)
  } catch (error) {
    if (error instanceof Unacceptable) return { kind: 'unacceptable', why: error.message }
    throw error
  }
  const { expiresAt = Number.POSITIVE_INFINITY } = challenge
  if (environment.clock.now() >= expiresAt)
    return { kind: 'late', why: 'the challenge expired before the evidence was there' }
  const answer = await askVerifier(environment, {
    ...{ method: 'PATCH', path: `${attestationsOf(environment)}/${challenge.index}` },
    ...{ succeeds: 202, token },
    body: { data: { type: 'attestation', attributes: { evidence_collected } } },
  })
  if ('failed' in answer) return answer.failed
  return { kind: 'accepted', seconds: secondsIn(answer.reply.body) }
}

/** The evidence was accepted, whether or not the body can be read: an unreadable one only loses the suggested wait. */
function secondsIn(body: unknown): unknown {
  const meta = (body as { readonly meta?: { readonly seconds_to_next_attestation?: unknown } })
    ?.meta
  return meta?.seconds_to_next_attestation
}

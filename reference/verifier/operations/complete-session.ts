import { type Handler, parameter } from '../../api/call.ts'
import { fromBase64 } from '../../bytes/base64.ts'
import { WireError } from '../../bytes/wire-error.ts'
import { ApiError, sessionNotFound } from '../../errors.ts'
import { timestamp } from '../../platform/clock.ts'
import type { OpenSession } from '../../storage/open-session-store.ts'
import { checkProof, type ProvidedProof } from '../push/session/check-proof.ts'
import type { ProofCase } from '../push/session/session-rules.ts'
import { makeToken } from '../push/session/token.ts'
import { parseCompleteSession } from '../shapes/session-shape.ts'
import type { VerifierParts } from '../verifier-parts.ts'

interface Provided {
  readonly data: { readonly message: string; readonly signature: string }
}

/**
 * PATCH /v3/sessions/{session_id}: checks the proof of possession. A wrong proof is not an HTTP
 * error: 200 with evaluation `fail` and no token. One answer per challenge.
 */
export function completeSession(parts: VerifierParts): Handler {
  const rules = parts.sessionRules
  return async (call) => {
    const { agent_id, authentication_provided } = parseCompleteSession(call.body).data.attributes
    const [provided] = authentication_provided
    const session = await parts.openSessions.find(parameter(call, 'session_id'))
    if (session === undefined || provided === undefined) throw sessionNotFound()
    if (!rules.isSameAgent(session, agent_id))
      throw new ApiError('malformed_request', 'Agent ID mismatch')
    const proof = readProof(provided, session)
    if (!(await rules.isFirstAnswer(parts.openSessions, session))) throw sessionNotFound()
    const checked = await checkProof(parts, session, proof)
    return { body: await present(parts, checked, provided) }
  }
}

function readProof(provided: Provided, session: OpenSession): ProvidedProof {
  try {
    return {
      challenge: fromBase64(session.challenge),
      message: fromBase64(provided.data.message, 'message'),
      signature: fromBase64(provided.data.signature, 'signature'),
    }
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    throw new ApiError('malformed_request', error.message, {
      pointer: '/data/attributes/authentication_provided/0/data',
    })
  }
}

async function present(
  parts: VerifierParts,
  checked: ProofCase,
  provided: Provided,
): Promise<unknown> {
  const { session, now } = checked
  const refused = parts.sessionRules.refusals.some((refusal) => refusal.refuses(checked))
  const granted = refused ? undefined : await grant(parts, checked)
  return {
    data: {
      type: 'session',
      id: session.id,
      attributes: {
        agent_id: session.agent_id,
        evaluation: granted === undefined ? 'fail' : 'pass',
        ...granted,
        authentication: [
          {
            authentication_class: 'pop',
            authentication_type: 'tpm_pop',
            chosen_parameters: { challenge: session.challenge },
            data: provided.data,
          },
        ],
        created_at: timestamp(session.created_at),
        challenges_expire_at: timestamp(session.challenges_expire_at),
        response_received_at: timestamp(now),
      },
    },
  }
}

/** Undefined when the agent was deleted between its proof and its token. */
async function grant(
  parts: VerifierParts,
  { session, enrolment = '', now }: ProofCase,
): Promise<{ token: string; token_expires_at: string } | undefined> {
  const { store, config, random, sessionRules: rules, tokenKey } = parts
  const token = makeToken(session.id, random)
  const token_expires_at = now + config.session_lifetime * 1000
  await rules.removeExpired(store.sessions, now)
  const granted = await store.sessions.grant({
    id: session.id,
    agent_id: session.agent_id,
    enrolment,
    granted_at: now,
    token_hash: rules.hashToken(token, tokenKey),
    token_expires_at,
  })
  return granted ? { token, token_expires_at: timestamp(token_expires_at) } : undefined
}

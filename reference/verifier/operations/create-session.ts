import { checkAgentId } from '../../api/agent-id.ts'
import type { Handler } from '../../api/call.ts'
import { toBase64 } from '../../bytes/base64.ts'
import { ApiError } from '../../errors.ts'
import { timestamp } from '../../platform/clock.ts'
import { parseCreateSession } from '../shapes/session-shape.ts'
import type { VerifierParts } from '../verifier-parts.ts'

/**
 * POST /v3/sessions: issues a challenge for any agent id, enrolled or not, so that the answer does not reveal
 * which ids are enrolled. An earlier token stays valid: any client can open a session for the agent.
 */
export function createSession(parts: VerifierParts): Handler {
  return async ({ body }) => {
    const { agent_id, authentication_supported } = parseCreateSession(body).data.attributes
    checkAgentId(agent_id, '/data/attributes/agent_id')
    if (!parts.sessionRules.isSupported(authentication_supported)) throw nothingInCommon()
    const enrolled = await parts.store.sessions.keyOf(agent_id)
    const now = parts.clock.now()
    const session = {
      id: parts.random.uuid(),
      agent_id,
      enrolment: enrolled?.enrolment,
      challenge: toBase64(parts.sessionRules.makeChallenge(parts.random)),
      created_at: now,
      challenges_expire_at: now + parts.config.nonce_lifetime * 1000,
    }
    await parts.sessionRules.dropExpired(parts.openSessions, parts.store.sessions, agent_id, now)
    await parts.openSessions.add(session)
    return {
      body: {
        data: {
          type: 'session',
          id: session.id,
          attributes: {
            agent_id,
            authentication_requested: [
              {
                authentication_class: 'pop',
                authentication_type: 'tpm_pop',
                chosen_parameters: { challenge: session.challenge },
              },
            ],
            created_at: timestamp(now),
            challenges_expire_at: timestamp(session.challenges_expire_at),
          },
        },
      },
    }
  }
}

function nothingInCommon(): ApiError {
  return new ApiError(
    'malformed_request',
    'authentication_supported: pop/tpm_pop is the only method served',
    { pointer: '/data/attributes/authentication_supported' },
  )
}

import { checkAgentId } from '../../api/agent-id.ts'
import type { Handler } from '../../api/call.ts'
import { bodyParser } from '../../api/parse-body.ts'
import { toBase64 } from '../../bytes/base64.ts'
import { timestamp } from '../../clock.ts'
import { ApiError } from '../../errors.ts'
import { CreateSessionRequest } from '../session-shape.ts'
import type { VerifierParts } from '../verifier-parts.ts'

const parseRequest = bodyParser(CreateSessionRequest, 'malformed_request')
const CHALLENGE_BYTES = 16

/**
 * POST /v3/sessions: a challenge for whoever asks, enrolled or not, so that the answer tells nothing
 * about who is. An earlier token of the agent is left alone: anybody can ask on its behalf.
 */
export function createSession(parts: VerifierParts): Handler {
  return async ({ body }) => {
    const { agent_id, authentication_supported } = parseRequest(body).data.attributes
    checkAgentId(agent_id, '/data/attributes/agent_id')
    const offered = authentication_supported.some(
      ({ authentication_class, authentication_type }) =>
        authentication_class === 'pop' && authentication_type === 'tpm_pop',
    )
    if (!offered) {
      throw new ApiError(
        'malformed_request',
        'authentication_supported: pop/tpm_pop is the only method served',
        { pointer: '/data/attributes/authentication_supported' },
      )
    }
    const now = parts.clock.now()
    const session = {
      id: parts.random.uuid(),
      agent_id,
      challenge: toBase64(parts.random.bytes(CHALLENGE_BYTES)),
      created_at: now,
      challenges_expire_at: now + parts.config.nonce_lifetime * 1000,
      answered: 0,
      token_hash: null,
      token_expires_at: null,
    }
    await parts.store.sessions.removeExpired(now)
    await parts.store.sessions.add(session)
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

import { type Handler, parameter } from '../../api/call.ts'
import { bodyParser } from '../../api/parse-body.ts'
import { fromBase64 } from '../../bytes/base64.ts'
import { WireError } from '../../bytes/wire-error.ts'
import { timestamp } from '../../clock.ts'
import { ApiError, sessionNotFound } from '../../errors.ts'
import { checkPossession, type PossessionProof } from '../../evidence/possession.ts'
import type { SessionRow } from '../../storage/database.ts'
import { issueToken } from '../push/token.ts'
import { CompleteSessionRequest } from '../session-shape.ts'
import type { VerifierParts } from '../verifier-parts.ts'

const parseRequest = bodyParser(CompleteSessionRequest, 'malformed_request')

interface Provided {
  readonly data: { readonly message: string; readonly signature: string }
}

/**
 * PATCH /v3/sessions/{session_id}: judges the proof of possession. A wrong proof is not an HTTP
 * error: 200 with evaluation `fail` and no token. One answer per challenge.
 */
export function completeSession(parts: VerifierParts): Handler {
  return async (call) => {
    const { agent_id, authentication_provided } = parseRequest(call.body).data.attributes
    const [provided] = authentication_provided
    const session = await parts.store.sessions.find(parameter(call, 'session_id'))
    if (session === undefined || provided === undefined) throw sessionNotFound()
    if (session.agent_id !== agent_id) throw new ApiError('malformed_request', 'Agent ID mismatch')
    const proof = readProof(provided, session)
    if (!(await parts.store.sessions.claim(session.id))) throw sessionNotFound()
    const passed = await proves(parts, session, proof)
    return { body: await present(parts, session, provided, passed) }
  }
}

async function proves(
  parts: VerifierParts,
  session: SessionRow,
  proof: Omit<PossessionProof, 'attestationKey'>,
): Promise<boolean> {
  if (session.challenges_expire_at <= parts.clock.now()) return false
  const agent = await parts.store.agents.find(session.agent_id)
  if (agent === undefined) return false
  const findings = checkPossession(
    { ...proof, attestationKey: fromBase64(agent.ak_tpm) },
    parts.possessionChecks,
  )
  return findings.length === 0
}

function readProof(
  provided: Provided,
  session: SessionRow,
): Omit<PossessionProof, 'attestationKey'> {
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
  session: SessionRow,
  provided: Provided,
  passed: boolean,
): Promise<unknown> {
  const now = parts.clock.now()
  const granted = passed ? await grant(parts, session, now) : undefined
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
  session: SessionRow,
  now: number,
): Promise<{ token: string; token_expires_at: string } | undefined> {
  const expiresAt = now + parts.config.session_lifetime * 1000
  const { token, hash } = issueToken(session.id, parts.random, parts.tokenKey)
  const granted = await parts.store.sessions.grant(session.id, hash, expiresAt)
  if (!granted) return undefined
  return { token, token_expires_at: timestamp(expiresAt) }
}

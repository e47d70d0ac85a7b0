import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { toBase64 } from '../../../bytes/base64.ts'
import { challengeOf } from '../challenge.ts'
import type { PushEnvironment } from '../environment.ts'
import type { PushEvent } from '../events.ts'
import { endOf } from '../lifetime.ts'
import { unreadable } from '../outcomes.ts'
import type { StateHandler } from '../state-handler.ts'
import { askVerifier, VERIFIER } from './ask-verifier.ts'

const METHOD = { authentication_class: 'pop', authentication_type: 'tpm_pop' } as const

const SessionReply = Compile(
  Type.Object({
    data: Type.Object({
      // It becomes a part of a path.
      id: Type.String({ pattern: '^[A-Za-z0-9_-]{1,80}$' }),
      attributes: Type.Object({
        authentication_requested: Type.Array(
          Type.Object({
            authentication_class: Type.String(),
            authentication_type: Type.String(),
            chosen_parameters: Type.Object({ challenge: Type.String() }),
          }),
        ),
      }),
    }),
  }),
)

const ProofReply = Compile(
  Type.Object({
    data: Type.Object({
      attributes: Type.Object({
        evaluation: Type.String(),
        // It becomes a part of a header.
        token: Type.Optional(Type.String({ pattern: '^[!-~]{1,4096}$' })),
      }),
    }),
  }),
)

/** Opens a session: asks for a challenge, has the attestation key certify itself over it, and gets a token (interface document, "PoP flow"). */
export const openSession: StateHandler = async (environment) => {
  const { agentId: agent_id, clock } = environment
  const asked = clock.now()
  const attributes = { agent_id, authentication_supported: [METHOD] }
  const answer = await askVerifier(environment, {
    ...{ method: 'POST', path: '/sessions', succeeds: 200 },
    body: { data: { type: 'session', attributes } },
  })
  if ('failed' in answer) return answer.failed
  const { body } = answer.reply
  if (!SessionReply.Check(body)) return unreadable(VERIFIER, 'a session has an id and a challenge')
  const { id } = body.data
  const requested = body.data.attributes.authentication_requested.find(
    ({ authentication_class, authentication_type }) =>
      authentication_class === METHOD.authentication_class &&
      authentication_type === METHOD.authentication_type,
  )
  if (requested === undefined)
    return { kind: 'unacceptable', why: 'another proof than pop with tpm_pop is asked for' }
  const challenge = challengeOf(requested.chosen_parameters.challenge)
  if (challenge === undefined)
    return unreadable(VERIFIER, 'a challenge is base64, and there is one')
  const data = await proofOver(environment, challenge)
  const end = endOf(between(body.data.attributes, 'created_at', 'challenges_expire_at'), asked)
  if (end !== undefined && clock.now() >= end)
    return { kind: 'late', why: 'the challenge of the session expired before it was answered' }
  return complete(environment, id, data)
}

interface Proof {
  readonly message: string
  readonly signature: string
}

async function proofOver({ attester }: PushEnvironment, challenge: Uint8Array): Promise<Proof> {
  const { message, signature } = await attester.certify(challenge)
  return { message: toBase64(message), signature: toBase64(signature) }
}

async function complete(environment: PushEnvironment, id: string, data: Proof): Promise<PushEvent> {
  const asked = environment.clock.now()
  const provided = [{ ...METHOD, data }]
  const attributes = { agent_id: environment.agentId, authentication_provided: provided }
  const answer = await askVerifier(environment, {
    ...{ method: 'PATCH', path: `/sessions/${id}`, succeeds: 200 },
    body: { data: { type: 'session', id, attributes } },
  })
  if ('failed' in answer) return answer.failed
  const { body } = answer.reply
  if (!ProofReply.Check(body)) return unreadable(VERIFIER, 'an answered session has an evaluation')
  const { evaluation, token } = body.data.attributes
  if (evaluation !== 'pass' || token === undefined)
    return { kind: 'proof_failed', why: 'the verifier does not take the proof of possession' }
  const life = between(body.data.attributes, 'response_received_at', 'token_expires_at')
  const expiresAt = endOf(life, asked)
  const renewAt = environment.rules.renewalOf(asked, expiresAt)
  return { kind: 'granted', token: { value: token, expiresAt, renewAt } }
}

function between(attributes: object, since: string, until: string) {
  const members = new Map<string, unknown>(Object.entries(attributes))
  return { since: members.get(since) ?? members.get('created_at'), until: members.get(until) }
}

import { showMember } from '../../attempt/check.ts'
import { PrerequisiteFailed } from '../../attempt/endings.ts'
import {
  at,
  attributes,
  isRefusal,
  isSuccess,
  presentReply,
  type Reply,
} from '../../attempt/reply.ts'
import { ANONYMOUS, bearer, type Credentials, withAuthorization } from '../identity.ts'

/** The token of a completed session. @throws {PrerequisiteFailed} if there is none */
export function tokenOf(completed: Reply): string {
  const token = attributes(completed, 'token')
  if (typeof token === 'string' && /^[\x21-\x7e]+$/.test(token)) return token
  throw new PrerequisiteFailed({
    requirement: typeof token === 'string' ? 'SES-TOKEN-FORM' : 'SES-PASS-TOKEN',
    what: '`token` of a session with a valid proof',
    ...{ expected: 'a string of visible ASCII characters', received: showMember(token, completed) },
  })
}

/** Credentials that are only a bearer token. */
export function bearing(token: string): Credentials {
  return withAuthorization(ANONYMOUS, bearer(token))
}

/** Whether the verifier rejected a proof: refused it, or evaluated it as failed, without a token. */
function givesNoToken(reply: Reply): boolean {
  if (isRefusal(reply)) return (attributes(reply, 'token') ?? null) === null
  return (
    isSuccess(reply) &&
    attributes(reply, 'evaluation') === 'fail' &&
    (attributes(reply, 'token') ?? null) === null
  )
}

/** Arguments of `matches` for a proof that must be rejected. */
export const NO_TOKEN = ['a refusal (4xx), or evaluation fail, and no token', givesNoToken] as const

function givesNoChallenge(reply: Reply): boolean {
  return (
    isRefusal(reply) ||
    (isSuccess(reply) && (attributes(reply, 'authentication_requested', 0) ?? null) === null)
  )
}

/** Arguments of `matches` for a session request that must not receive a challenge. */
export const NO_CHALLENGE = [
  'a refusal (4xx), or no request for a proof',
  givesNoChallenge,
] as const

/** An answer to a session request in words: its status, and the method of the proof that it requests. */
export function presentOpening(reply: Reply): string {
  const requested = attributes(reply, 'authentication_requested', 0) ?? null
  if (requested === null) return presentReply(reply)
  const [ofClass, ofType] = [
    at(requested, 'authentication_class'),
    at(requested, 'authentication_type'),
  ]
  return `${presentReply(reply)} with a request for ${ofClass}/${ofType}`
}

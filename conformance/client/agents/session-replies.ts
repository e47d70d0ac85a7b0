import { PrerequisiteFailed } from '../../attempt/endings.ts'
import { attributes, isRefusal, isSuccess, type Reply } from '../../attempt/reply.ts'
import { ANONYMOUS, bearer, type Credentials, withAuthorization } from '../identity.ts'

/** The token of a completed session; a scenario that stands on it ends where there is none. */
export function tokenOf(completed: Reply): string {
  const token = attributes(completed, 'token')
  if (typeof token === 'string') return token
  throw new PrerequisiteFailed('the session answer carries no token')
}

/** Somebody with nothing but a token. */
export function bearing(token: string): Credentials {
  return withAuthorization(ANONYMOUS, bearer(token))
}

/** Whether a proof came to nothing: refused, or judged and failed, and in either case without a token. */
function givesNoToken(reply: Reply): boolean {
  if (isRefusal(reply)) return (attributes(reply, 'token') ?? null) === null
  return (
    isSuccess(reply) &&
    attributes(reply, 'evaluation') === 'fail' &&
    (attributes(reply, 'token') ?? null) === null
  )
}

/** Expectation in words and its test, where a proof has to come to nothing. */
export const NO_TOKEN = ['a refusal (4xx), or evaluation fail, and no token', givesNoToken] as const

function givesNoChallenge(reply: Reply): boolean {
  return (
    isRefusal(reply) ||
    (isSuccess(reply) && (attributes(reply, 'authentication_requested', 0) ?? null) === null)
  )
}

/** Expectation in words and its test, where there is nothing that a session could ask for. */
export const NO_CHALLENGE = [
  'a refusal (4xx), or no request for a proof',
  givesNoChallenge,
] as const

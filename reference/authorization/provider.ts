import { ApiError } from '../errors.ts'
import type { Action } from './actions.ts'
import type { Identity } from './identity.ts'

export interface Question {
  readonly identity: Identity
  readonly action: Action
  /** The agent that the path names, where it names one. */
  readonly agentId: string | undefined
}

/**
 * Decides on permission once identity is settled (interface document, "Authorization framework"): may this identity
 * do this to that? It may ask elsewhere and answer later; one that throws, rejects or says anything but `true` denies.
 */
export interface AuthorizationProvider {
  /** As `authorization_provider` names it. */
  readonly name: string
  allows(question: Question): boolean | Promise<boolean>
}

/** Where the fault of a provider is logged. */
interface FailureLog {
  error(detail: object, message: string): void
}

/**
 * Refuses with 401 when a credential was offered and did not hold, with 403 otherwise. A provider that fails denies
 * with 403 as well: a 5xx would show a stranger a way to cause faults; the fault is logged.
 */
export async function checkAuthorization(
  provider: AuthorizationProvider,
  question: Question,
  log: FailureLog,
): Promise<void> {
  if (await isAllowed(provider, question, log)) return
  const { identity, action } = question
  if (identity.type === 'anonymous' && identity.refusedCredential !== undefined) {
    throw new ApiError('not_authenticated', identity.refusedCredential)
  }
  throw new ApiError('not_authorized', `Action ${action} is not allowed for ${describe(identity)}.`)
}

async function isAllowed(
  provider: AuthorizationProvider,
  question: Question,
  log: FailureLog,
): Promise<boolean> {
  try {
    return (await provider.allows(question)) === true
  } catch (err) {
    const { name } = provider
    log.error({ err, action: question.action }, `authorization provider ${name} failed: denied`)
    return false
  }
}

function describe(identity: Identity): string {
  return identity.type === 'agent' ? `agent ${identity.agentId}` : identity.type
}

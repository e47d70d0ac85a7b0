import { ApiError } from '../errors.ts'
import { ACTIONS, type Action, type Category } from './actions.ts'
import type { Identity } from './identity.ts'

export interface Question {
  readonly identity: Identity
  readonly action: Action
  /** The agent that the path names, where it names one. */
  readonly agentId: string | undefined
}

/** A provider answers one question: may this identity do this to that? */
export interface AuthorizationProvider {
  readonly name: string
  allows(question: Question): boolean
}

type Rule = (identity: Identity, agentId: string | undefined) => boolean

const isAdmin: Rule = (identity) => identity.type === 'admin'
const ownsResource: Rule = (identity, agentId) =>
  identity.type === 'agent' && identity.agentId === agentId

/** Rules 2 to 5 of "Identity selection", one per category. */
export const SIMPLE_RULES: Readonly<Record<Category, Rule>> = {
  public: () => true,
  'agent-only': ownsResource,
  'agent-or-admin': (identity, agentId) =>
    isAdmin(identity, agentId) || ownsResource(identity, agentId),
  admin: isAdmin,
}

export function simpleProvider(
  rules: Readonly<Record<Category, Rule>> = SIMPLE_RULES,
): AuthorizationProvider {
  return {
    name: 'simple',
    allows: ({ identity, action, agentId }) => rules[ACTIONS[action]](identity, agentId),
  }
}

/** Refuses with 401 when a credential was offered and did not hold, with 403 otherwise. */
export function checkAuthorization(provider: AuthorizationProvider, question: Question): void {
  if (provider.allows(question)) return
  const { identity, action } = question
  if (identity.type === 'anonymous' && identity.refusedCredential !== undefined) {
    throw new ApiError('not_authenticated', identity.refusedCredential)
  }
  throw new ApiError('not_authorized', `Action ${action} is not allowed for ${describe(identity)}.`)
}

function describe(identity: Identity): string {
  return identity.type === 'agent' ? `agent ${identity.agentId}` : identity.type
}

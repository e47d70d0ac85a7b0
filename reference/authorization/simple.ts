import { ACTIONS, type Action, type Category } from './actions.ts'
import type { Identity } from './identity.ts'
import type { AuthorizationProvider } from './provider.ts'

type Rule = (identity: Identity, agentId: string | undefined) => boolean

export type CategoryRules = Readonly<Record<Category, Rule>>

const isAdmin: Rule = (identity) => identity.type === 'admin'
const ownsResource: Rule = (identity, agentId) =>
  identity.type === 'agent' && identity.agentId === agentId

/** Rules 2 to 5 of "Identity selection", one per category; an agent owns what the path names by the very same text. */
export const SIMPLE_RULES: CategoryRules = {
  public: () => true,
  'agent-only': ownsResource,
  'agent-or-admin': (identity, agentId) =>
    isAdmin(identity, agentId) || ownsResource(identity, agentId),
  admin: isAdmin,
}

/** The provider that the interface document describes: every action has a category, every category a rule. */
export function simpleProvider(
  rules: CategoryRules = SIMPLE_RULES,
  categories: Readonly<Record<Action, Category>> = ACTIONS,
): AuthorizationProvider {
  return {
    name: 'simple',
    allows: ({ identity, action, agentId }) => rules[categories[action]](identity, agentId),
  }
}

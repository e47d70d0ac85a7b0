import {
  administratorOf,
  type IdentityParts,
  identifyAgent,
  selectIdentity,
} from '../authorization/identity.ts'
import { type CategoryRules, SIMPLE_RULES, simpleProvider } from '../authorization/simple.ts'
import type { Mutant } from './list-minus-one.ts'

function withRules(rules: Partial<CategoryRules>): Mutant['parts'] {
  return { authorizationProviders: { simple: () => simpleProvider({ ...SIMPLE_RULES, ...rules }) } }
}

type SelectIdentity = IdentityParts['selectIdentity']

async function retriedByCertificate(
  ...[credentials, authenticateToken, nameOf]: Parameters<SelectIdentity>
): ReturnType<SelectIdentity> {
  const { authorization, peer } = credentials
  const agent =
    authorization === undefined ? undefined : await identifyAgent(authorization, authenticateToken)
  if (agent?.type === 'agent') return agent
  return selectIdentity({ authorization: undefined, peer }, authenticateToken, nameOf)
}

/** Components that let somebody do what is another's, or nobody what is everybody's. */
export const AUTHORIZATION_MUTANTS: readonly Mutant[] = [
  {
    id: 'token-not-bound',
    defect: 'any agent may act for any agent',
    parts: withRules({ 'agent-only': ({ type }) => type === 'agent' }),
  },
  {
    id: 'mtls-fallback',
    defect: 'a request with a bad token is tried again by its client certificate',
    parts: { selectIdentity: retriedByCertificate },
  },
  {
    id: 'admin-by-authorized',
    defect: 'whoever OpenSSL calls authorized is an administrator, certificate or not',
    parts: {
      administratorOf: (peer) =>
        peer.authorized ? (administratorOf(peer) ?? 'client') : undefined,
    },
  },
]

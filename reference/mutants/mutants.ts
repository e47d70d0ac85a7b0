import { administratorOf, identifyAgent, selectIdentity } from '../authorization/identity.ts'
import { SIMPLE_RULES, simpleProvider } from '../authorization/simple.ts'
import type { Parts } from '../compose.ts'
import { SHIPPED_PARTS } from '../compose.ts'
import { BENT_CHECKS } from './bent-checks.ts'
import { EVIDENCE_MUTANTS } from './evidence-mutants.ts'
import type { Mutant } from './list-minus-one.ts'
import { REGISTRATION_MUTANTS } from './registration-mutants.ts'

export const MUTANTS: readonly Mutant[] = [
  ...BENT_CHECKS,
  ...EVIDENCE_MUTANTS,
  ...REGISTRATION_MUTANTS,
  {
    id: 'token-not-bound',
    defect: 'any agent may act for any agent',
    parts: {
      authorization: simpleProvider({
        ...SIMPLE_RULES,
        'agent-only': (identity) => identity.type === 'agent',
      }),
    },
  },
  {
    id: 'mtls-fallback',
    defect: 'a request with a bad token is tried again by its client certificate',
    parts: {
      selectIdentity: async (credentials, authenticateToken, nameOf) => {
        const { authorization, peer } = credentials
        const agent =
          authorization === undefined
            ? undefined
            : await identifyAgent(authorization, authenticateToken)
        if (agent?.type === 'agent') return agent
        return selectIdentity({ authorization: undefined, peer }, authenticateToken, nameOf)
      },
    },
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

/** The shipped parts with the mutant's in their place. */
export function mutantParts(id: string): Parts {
  const mutant = MUTANTS.find((one) => one.id === id)
  if (mutant === undefined) throw new Error(`there is no mutant called ${id}`)
  return { ...SHIPPED_PARTS, ...mutant.parts }
}

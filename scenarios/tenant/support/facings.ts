import type { Peer } from '../../../conformance/peers/tenants.ts'
import { type Recipe, SERVER_AUTH } from '../../../simulator/x509/recipes.ts'
import { SERVER_IMPOSTORS } from '../../../simulator/x509/server-impostors.ts'

/** A certificate that a peer of a tenant shows, and that is not its own. */
interface Facing {
  readonly id: string
  readonly peer: Peer
  /** Completes "a certificate". */
  readonly says: string
  recipe(agentId: string): Recipe
}

const SERVER = { usages: [SERVER_AUTH], addresses: ['127.0.0.1'] }

export const facings: readonly Facing[] = [
  ...(['verifier', 'registrar'] as const).flatMap((peer) =>
    Object.entries(SERVER_IMPOSTORS).map(([name, { says, recipe }]) => {
      return { id: `${peer}-${name}`, peer, says, recipe: () => recipe }
    }),
  ),
  {
    id: 'agent-namesake',
    peer: 'agent',
    says: 'of its name with another key',
    recipe: (commonName) => ({ ...SERVER, commonName, issuer: 'itself' }),
  },
  {
    id: 'agent-server',
    peer: 'agent',
    says: 'of the servers',
    recipe: () => ({ ...SERVER, commonName: 'server' }),
  },
]

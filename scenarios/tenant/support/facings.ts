import type { Peer } from '../../../conformance/peers/tenants.ts'
import { type Recipe, SERVER_AUTH } from '../../../simulator/x509/recipes.ts'
import { SERVER_IMPOSTORS } from '../../../simulator/x509/server-impostors.ts'

/** A peer of a tenant that shows a certificate which is not its own. */
export interface Facing {
  readonly id: string
  readonly peer: Peer
  /** Completes "a certificate". */
  readonly says: string
  readonly requirement: string
  /** A command that asks this peer first. */
  readonly command: 'add' | 'cvlist' | 'reglist'
  recipe(agentId: string): Recipe
}

const COMMANDS = { verifier: 'cvlist', registrar: 'reglist' } as const

function server(peer: 'verifier' | 'registrar', name: keyof typeof SERVER_IMPOSTORS): Facing {
  const { says, recipe } = SERVER_IMPOSTORS[name]
  const [requirement, command] = ['TEN-CHECKS-SERVERS', COMMANDS[peer]]
  return { id: `${peer}-${name}`, peer, says, requirement, command, recipe: () => recipe }
}

function agent(name: string, says: string, recipe: Facing['recipe']): Facing {
  const requirement = 'TEN-CHECKS-AGENT'
  return { id: `agent-${name}`, peer: 'agent', says, requirement, command: 'add', recipe }
}

const SERVER = { usages: [SERVER_AUTH], addresses: ['127.0.0.1'] }

/** The kinds are divided between the two servers, as each takes two commands. */
export const facings: readonly Facing[] = [
  server('verifier', 'other-authority'),
  server('verifier', 'self-signed'),
  server('verifier', 'not-yet-valid'),
  server('verifier', 'other-name'),
  server('registrar', 'other-authority'),
  server('registrar', 'namesake'),
  server('registrar', 'expired'),
  server('registrar', 'client-only'),
  agent('namesake', 'of its name with another key', (commonName) => ({
    ...SERVER,
    commonName,
    issuer: 'itself',
  })),
  agent('server', 'of the servers', () => ({ ...SERVER, commonName: 'server' })),
]

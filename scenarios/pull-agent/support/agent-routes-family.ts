import { isRefusal, isSuccess, type Reply, results } from '../../../conformance/attempt/reply.ts'
import { applies } from '../../../conformance/catalogue/routes/operations.ts'
import { giveKeys, goodCall } from '../../../conformance/peers/agent-operations.ts'
import {
  AGENT_ROUTES,
  type AgentOperation,
  type AgentRoute,
} from '../../../conformance/peers/agent-routes.ts'
import { makeBootstrapKeys } from '../../../conformance/peers/bootstrap-keys.ts'
import type { Context, Scenario } from '../../../conformance/scenario.ts'
import { agentOfVersion } from './legacy-agent.ts'

const MATRIX = 'agent-routes'
const UNTIL = '2.5'

type Standing = 'served' | 'absent' | 'either'

function standingOf({ since, either }: AgentRoute, version: string): Standing {
  if (applies({ since, until: UNTIL }, version)) return 'served'
  return either !== undefined && applies(either, version) ? 'either' : 'absent'
}

function cellOf({ method, path }: AgentRoute, version: string): string {
  return `pull agent ${version} ${method} ${path}`
}

/** Readings of agent/info before 2.2. */
const EARLIER = {
  absent: isRefusal,
  'without ak_handle': (reply: Reply) =>
    results(reply, 'ak_handle') === undefined && isSuccess(reply),
}

const HALVES: ReadonlySet<AgentOperation> = new Set(['ukey', 'vkey'])

async function askRightly(context: Context, operation: AgentOperation): Promise<Reply> {
  const { random } = context
  const agent = await agentOfVersion(context)
  const reply = await agent.call(operation, await goodCall(agent, operation, random))
  // A half left behind would be joined with the keys of the next scenario.
  if (HALVES.has(operation)) await giveKeys(agent, makeBootstrapKeys(agent), random)
  return reply
}

/**
 * Returns one scenario for each operation: a valid request under each version, which succeeds if the version has
 * it.
 */
export function agentRoutesFamily(place: string): readonly Scenario[] {
  return AGENT_ROUTES.map((route) => {
    const { key, operation, either } = route
    const id = (what: string) => `AGT-${key}-${what}`
    return {
      id: `${place}.${operation}`,
      title: `A pull agent serves ${operation} to clients of the server components' CA in the versions that define it`,
      requirements: [
        ...[id('ROUTE'), id('STATUS'), id('ADMIN'), 'AGT-PREFIX', 'AGT-JSON'],
        ...(either ? ['AGT-INFO-FROM-22', 'AGT-INFO-ABSENT-BEFORE'] : [`LEG-AGT-${key}`]),
      ],
      role: 'pull_agent',
      since: either?.since ?? route.since,
      until: UNTIL,
      matrix: { name: MATRIX, cells: (version) => [cellOf(route, version)] },
      async run(context) {
        const { version, check, observe } = context
        const reply = await askRightly(context, operation)
        const cell = cellOf(route, version)
        const seen = isSuccess(reply) ? 'served' : 'absent'
        if (version === '2.0') {
          check(`LEG-AGT-${key}`, `${operation} in 2.0`, cell).of(seen).is('served')
          return
        }
        if (standingOf(route, version) === 'either') {
          check('AGT-INFO-ABSENT-BEFORE', `${operation} before 2.2`, cell).of(reply).meets(EARLIER)
          observe(either?.ambiguity ?? '', `${operation} in ${version}`, seen)
          return
        }
        check(id('ROUTE'), `${operation} in ${version}`, cell).of(seen).is('served')
        check(id('STATUS'), 'HTTP status').of(reply.status).is(200)
        check(id('ADMIN'), 'a certificate of the CA').of(reply.status).is(200)
        check('AGT-PREFIX', `the prefix of ${version}`).of(reply.status).is(200)
        check('AGT-JSON', 'media type')
          .of(reply.headers['content-type'])
          .matches('application/json', (type) => type?.startsWith('application/json') === true)
        if (either) check('AGT-INFO-FROM-22', 'agent/info from 2.2 on').of(seen).is('served')
      },
    }
  })
}

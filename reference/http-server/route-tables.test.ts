import { expect, test } from 'vitest'
import type { PullAgentParts } from '../agent/pull/agent-parts.ts'
import { agentOperations } from '../agent/pull/operations.ts'
import { mountsOf } from '../api/mounts.ts'
import { AGENT_ROUTES } from '../api/routes/agent.ts'
import { REGISTRAR_ROUTES } from '../api/routes/registrar.ts'
import type { Route } from '../api/routes/route.ts'
import { TENANT_WEB_ROUTES } from '../api/routes/tenant-web.ts'
import { VERIFIER_ROUTES } from '../api/routes/verifier.ts'
import { API_VERSIONS } from '../api/versions.ts'
import { ACTIONS, type Action } from '../authorization/actions.ts'
import { registrarOperations } from '../registrar/operations.ts'
import type { RegistrarParts } from '../registrar/registrar-parts.ts'
import { type TenantWebParts, tenantWebOperations } from '../tenant/web/web-operations.ts'
import { verifierOperations } from '../verifier/operations.ts'
import type { VerifierParts } from '../verifier/verifier-parts.ts'

// An operation only holds on to its parts when it is made.
const TABLES: readonly [string, readonly Route[], object][] = [
  ['registrar', REGISTRAR_ROUTES, registrarOperations({} as RegistrarParts, [])],
  ['verifier', VERIFIER_ROUTES, verifierOperations({ config: {}, store: {} } as VerifierParts)],
  ['tenant web', TENANT_WEB_ROUTES, tenantWebOperations({ page: {}, rules: {} } as TenantWebParts)],
  ['agent', AGENT_ROUTES, agentOperations({ versions: [] } as unknown as PullAgentParts)],
]

function placesOf(route: Route): readonly string[] {
  const shape = route.path.replaceAll(/:[a-z_]+/g, ':').replace(/\/$/, '')
  return mountsOf(route, API_VERSIONS).map(({ prefix }) => `${route.method} ${prefix}${shape}`)
}

test.each(TABLES)('%s: every operation has a row, and every row an operation', (_, rows, made) => {
  const named = new Set(rows.map(({ operation }) => operation))
  expect(named).toEqual(new Set(Object.keys(made)))
})

test('every action is in a row of one of the tables', () => {
  const asked = new Set(TABLES.flatMap(([, rows]) => rows.map(({ action }) => action)))
  expect(Object.keys(ACTIONS).filter((action) => !asked.has(action as Action))).toEqual([])
})

test.each(TABLES)('%s: no two rows stand at one place', (_, rows) => {
  const places = rows.flatMap(placesOf)
  expect(places.filter((place, at) => places.indexOf(place) !== at)).toEqual([])
})

test.each(TABLES)('%s: every row is mounted somewhere', (_, rows) => {
  expect(rows.filter((row) => mountsOf(row, API_VERSIONS).length === 0)).toEqual([])
})

test.each(TABLES)('%s: an agent action has a path with an agent id', (_, rows) => {
  const ofAgents = rows.filter(({ action }) => ACTIONS[action].startsWith('agent-'))
  expect(ofAgents.filter(({ path }) => !path.includes('/:agent_id'))).toEqual([])
})

test.each(TABLES)('%s: every changing operation with a body has a size limit', (_, rows) => {
  const bodies = ['POST', 'PATCH', 'PUT']
  const silent = rows.filter(({ method, body }) => bodies.includes(method) !== (body !== undefined))
  expect(silent).toEqual([])
})

import { expect, test } from 'vitest'
import { mountsOf } from './mounts.ts'
import { REGISTRAR_ROUTES } from './routes/registrar.ts'
import { VERIFIER_ROUTES } from './routes/verifier.ts'

const served = [...REGISTRAR_ROUTES, ...VERIFIER_ROUTES].flatMap((route) =>
  mountsOf(route).map(({ prefix }) => `${route.method} ${prefix}${route.path} ${route.operation}`),
)

test.each([
  'PUT /v2.5/agents/:agent_id/activate activate-agent',
  'PUT /v2.5/agents/:agent_id activate-agent',
  'POST /v3.0/agents/:agent_id/activate activate-agent',
  'DELETE /v2.5/allowlist/:name delete-runtime-policy',
  'DELETE /v2.5/allowlists/:name delete-runtime-policy',
])('both spellings of a route act: %s', (route) => {
  expect(served).toContain(route)
})

test('the routes that 3.0 removes are not under its prefixes', () => {
  const removed = served.filter((route) => /^(PUT|POST) \/v3(\.0)?\/agents\/:agent_id /.test(route))
  const activated = served.filter((route) => /^PUT \/v3(\.0)?\/.*activate-agent$/.test(route))
  expect([...removed, ...activated]).toEqual([])
})

import { expect, test } from 'vitest'
import { mountRoutes, mountsOf } from '../mounts.ts'
import { API_VERSIONS, type ApiVersion } from '../versions.ts'
import { REGISTRAR_ROUTES } from './registrar.ts'
import type { Route } from './route.ts'
import { VERIFIER_ROUTES } from './verifier.ts'

/** What the document and the rulings say, written once more: method, path, first and last version, operation. */
const REGISTRAR = `
GET    /version                    2.3 3.0 read-version
GET    /versions                   2.3 3.0 read-version
GET    /                           1.0 3.0 probe-version
GET    {v}/                        3.0 3.0 probe-version
GET    {v}/agents                  1.0 3.0 list-agents
GET    {v}/agents/:agent_id        1.0 3.0 read-agent
DELETE {v}/agents/:agent_id        1.0 3.0 delete-agent
POST   {v}/agents/:agent_id        1.0 2.6 register-agent
PUT    {v}/agents/:agent_id        1.0 2.6 activate-agent
PUT    {v}/agents/:agent_id/activate 1.0 2.6 activate-agent
PUT    {v}/agents/:agent_id/vactivate 1.0 2.0 activate-virtual-agent
POST   {v}/agents                  3.0 3.0 register-agent
POST   {v}/agents/:agent_id/activate 3.0 3.0 activate-agent
`

const VERIFIER = `
GET    /version                    2.3 3.0 read-version
GET    /versions                   2.3 3.0 read-version
GET    /                           1.0 3.0 probe-version
GET    {v}/                        3.0 3.0 probe-version
GET    {v}/agents                  1.0 2.6 list-agents
POST   {v}/agents/:agent_id        1.0 2.6 add-agent
GET    {v}/agents/:agent_id        1.0 2.6 read-agent
DELETE {v}/agents/:agent_id        1.0 2.6 delete-agent
PUT    {v}/agents/:agent_id/reactivate 1.0 2.6 reactivate-agent
PUT    {v}/agents/:agent_id/stop   1.0 2.6 stop-agent
POST   {v}/allowlists/:name        2.1 2.6 create-runtime-policy
POST   {v}/allowlist/:name         2.1 2.6 create-runtime-policy
GET    {v}/allowlists/:name        2.1 2.6 read-runtime-policy
GET    {v}/allowlist/:name         2.1 2.6 read-runtime-policy
PUT    {v}/allowlists/:name        2.1 2.6 replace-runtime-policy
PUT    {v}/allowlist/:name         2.1 2.6 replace-runtime-policy
DELETE {v}/allowlists/:name        2.1 2.6 delete-runtime-policy
DELETE {v}/allowlist/:name         2.1 2.6 delete-runtime-policy
GET    {v}/allowlists              2.1 2.6 list-runtime-policies
GET    {v}/mbpolicies              2.3 2.6 list-boot-policies
GET    {v}/mbpolicies/:name        2.3 2.6 read-boot-policy
POST   {v}/mbpolicies/:name        2.3 2.6 create-boot-policy
PUT    {v}/mbpolicies/:name        2.3 2.6 replace-boot-policy
DELETE {v}/mbpolicies/:name        2.3 2.6 delete-boot-policy
GET    {v}/verify/identity         2.2 2.6 verify-identity
POST   {v}/verify/evidence         2.4 2.6 verify-evidence
POST   {v}/sessions                3.0 3.0 create-session
PATCH  {v}/sessions/:session_id    3.0 3.0 complete-session
POST   {v}/agents/:agent_id/attestations 3.0 3.0 create-attestation
PATCH  {v}/agents/:agent_id/attestations/:index 3.0 3.0 submit-evidence
GET    {v}/agents/:agent_id/attestations 3.0 3.0 list-attestations
GET    {v}/agents/:agent_id/attestations/:index 3.0 3.0 read-attestation
`

const PREFIXES = {
  '1.0': ['/v1.0', '/v1'],
  '2.0': ['/v2.0', '/v2'],
  '2.1': ['/v2.1'],
  '2.2': ['/v2.2'],
  '2.3': ['/v2.3'],
  '2.4': ['/v2.4'],
  '2.5': ['/v2.5'],
  '2.6': ['/v2.6'],
  '3.0': ['/v3.0', '/v3'],
} as const

const TABLES: readonly [string, readonly Route[], string][] = [
  ['registrar', REGISTRAR_ROUTES, REGISTRAR],
  ['verifier', VERIFIER_ROUTES, VERIFIER],
]
const CASES = TABLES.flatMap(([component, rows, text]) =>
  API_VERSIONS.map((version) => ({ component, version, rows, text })),
)

function promised(text: string, version: ApiVersion): readonly string[] {
  return text
    .trim()
    .split('\n')
    .map((line) => line.split(/ +/) as [string, string, string, string, string])
    .filter(([, , since, until]) => since <= version && version <= until)
    .flatMap(([method, path, , , operation]) =>
      (path.startsWith('{v}') ? PREFIXES[version] : ['']).map(
        (prefix) => `${method} ${path.replace('{v}', prefix)} ${operation}`,
      ),
    )
}

test.each(CASES)('$component of $version alone has its routes and no other', (one) => {
  const places = mountRoutes(one.rows, [one.version]).map(
    ({ method, prefix, path, operation }) => `${method} ${prefix}${path} ${operation}`,
  )
  expect(places.toSorted()).toEqual(promised(one.text, one.version).toSorted())
})

test.each(TABLES)('%s: served together, each version has what it has alone', (_, rows) => {
  const placesOf = (served: readonly ApiVersion[]) =>
    mountRoutes(rows, served)
      .filter(({ prefix }) => prefix !== '')
      .map(({ method, prefix, path, version }) => `${version}: ${method} ${prefix}${path}`)
  const alone = API_VERSIONS.flatMap((version) => placesOf([version]))
  expect(placesOf(API_VERSIONS).toSorted()).toEqual(alone.toSorted())
})

test('a row without a prefix stands once, however many versions have it', () => {
  const [row] = REGISTRAR_ROUTES.filter(({ path }) => path === '/version')
  expect(row && mountsOf(row, API_VERSIONS)).toEqual([{ prefix: '', version: undefined }])
})

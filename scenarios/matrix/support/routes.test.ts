import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import {
  loadAmbiguityKeys,
  loadInterfaceDocument,
  loadRequirements,
} from '../../../conformance/catalogue/load-requirements.ts'
import { API_VERSIONS } from '../../../conformance/catalogue/requirement.ts'
import { ROUTES } from '../../../conformance/catalogue/routes/load-routes.ts'
import {
  applies,
  compareVersions,
  REGISTRAR_OPERATIONS,
  rangeOf,
  VERIFIER_OPERATIONS,
} from '../../../conformance/catalogue/routes/operations.ts'
import type { RouteRow } from '../../../conformance/catalogue/routes/route-row.ts'
import { DIALECTS } from '../../../conformance/dialects/dialect.ts'
import { packageRoot } from '../../../conformance/input/package-root.ts'
import { cellsOf, knownPlaces, standingOf } from './route-cells.ts'
import { requirementOf, requirementsOf } from './route-requirements.ts'

const catalogue = new Map(loadRequirements().map((row) => [row.id, row]))
const nameOf = ({ component, method, path, unversioned }: RouteRow) =>
  `${component} ${method} ${unversioned ? '' : '/{v}'}${path}`
const cells = ROUTES.flatMap((row) =>
  API_VERSIONS.flatMap((version) =>
    cellsOf(row, version, DIALECTS.document).map((cell) => ({ row, version, cell })),
  ),
)
const find = (name: string) => cells.find(({ cell }) => cell.name === name)?.cell

test('every operation that a client can request has a row', () => {
  const named = new Set(ROUTES.map(({ operation }) => operation))
  const requested = [...REGISTRAR_OPERATIONS, ...VERIFIER_OPERATIONS]
  expect(requested.filter(({ operation }) => !named.has(operation))).toEqual([])
})

test('a standard YAML parser reads the same table', () => {
  const file = join(packageRoot(), 'conformance', 'catalogue', 'matrices', 'routes.yaml')
  expect(ROUTES).toEqual((parse(readFileSync(file, 'utf8')) as { rows: unknown }).rows)
})

test('no route occurs twice', () => {
  const names = ROUTES.map(nameOf)
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})

test.each(ROUTES)(
  '$component $method $path cites existing lines in ascending order',
  ({ lines }) => {
    expect(lines).toEqual([...lines].toSorted((one, other) => one - other))
    expect(lines.every((line) => line >= 1 && line <= loadInterfaceDocument().lines)).toBe(true)
  },
)

test.each(ROUTES)('$component $method $path has one range of versions without a gap', (row) => {
  const within = API_VERSIONS.filter((version) => standingOf(row, version) !== 'absent')
  expect(within).toEqual(API_VERSIONS.filter((version) => applies(rangeOf(row), version)))
})

test('every ambiguity of the table is in the list', () => {
  const keys = loadAmbiguityKeys()
  const used = ROUTES.flatMap(({ either }) => either?.ambiguity ?? [])
  expect(used.filter((key) => keys !== undefined && !keys.has(key))).toEqual([])
})

test('each cell has a catalogue row that applies to its version', () => {
  for (const { row, version, cell } of cells) {
    const isAbout = (id: string) => applies(catalogue.get(id) ?? { since: '9.0' }, version)
    const id = requirementOf(row, cell, isAbout)
    expect(requirementsOf(row)).toContain(id)
    expect([cell.name, isAbout(id)]).toEqual([cell.name, true])
  }
})

test('no fixed row requires a route that may be absent, except where 3.0 removes it', () => {
  const fixed = cells.filter(({ row, version, cell }) => {
    const isAbout = (id: string) => applies(catalogue.get(id) ?? { since: '9.0' }, version)
    const { strength } = catalogue.get(requirementOf(row, cell, isAbout)) ?? {}
    return cell.standing !== 'served' && strength === 'fixed'
  })
  expect(new Set(fixed.map(({ row }) => row.absent?.[0]))).toEqual(new Set(['REG-REMOVED-ROUTES']))
})

test('a cell has one name at each version', () => {
  for (const version of API_VERSIONS) {
    const names = cells.filter((one) => one.version === version).map(({ cell }) => cell.name)
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  }
})

test.each([
  ['verifier 2.3 POST /verify/evidence', 'absent', '/v2.3/verify/evidence'],
  ['verifier 2.4 POST /verify/evidence', 'served', '/v2.4/verify/evidence'],
  ['verifier 3.0 POST /verify/evidence', 'absent', '/v3/verify/evidence'],
  ['verifier 2.4 PUT /mbpolicies/{name}', 'either', '/v2.4/mbpolicies/{name}'],
  ['registrar 3.0 PUT /agents/{agent_id}', 'absent', '/v3.0/agents/{agent_id}'],
  ['registrar 2.0 GET /agents/', 'served', '/v2/agents/'],
  ['registrar 2.0 GET /agents/, no slash at its end', 'either', '/v2/agents'],
  ['registrar 3.0 GET /agents/, the other prefix', 'either', '/v3/agents/'],
  ['verifier 3.0 POST /sessions, the other prefix', 'either', '/v3.0/sessions'],
  ['registrar 1.0 GET /agents/', 'either', '/v1.0/agents/'],
  ['registrar GET /version', 'served', '/version'],
])('%s: %s at %s', (name, standing, path) => {
  expect(find(name)).toMatchObject({ standing, path })
})

test('a cell has the same name and the other prefix in the other dialect', () => {
  const sessions = ROUTES.find(({ path }) => path === '/sessions')
  const [main] = sessions ? cellsOf(sessions, '3.0', DIALECTS.keylime) : []
  expect(main).toMatchObject({ name: 'verifier 3.0 POST /sessions', path: '/v3.0/sessions' })
})

test('2.0 counts as served under either of its prefixes', () => {
  expect(find('registrar 2.0 GET /agents/')?.alternatives).toEqual([
    { method: 'GET', path: '/v2.0/agents/' },
  ])
})

test('calibration requests only read, or delete what does not exist', () => {
  const methods = API_VERSIONS.flatMap((version) =>
    knownPlaces('verifier', version, DIALECTS.document).map(({ method }) => method),
  )
  expect(new Set(methods)).toEqual(new Set(['GET', 'DELETE']))
})

test('versions are compared numerically', () => {
  expect(['3.0', '2.10', '2.2', '1.0'].toSorted(compareVersions)).toEqual([
    '1.0',
    '2.2',
    '2.10',
    '3.0',
  ])
})

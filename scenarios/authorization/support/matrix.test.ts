import { expect, test } from 'vitest'
import {
  loadInterfaceDocument,
  loadRequirements,
} from '../../../conformance/catalogue/load-requirements.ts'
import { API_VERSIONS } from '../../../conformance/catalogue/requirement.ts'
import { ROUTES } from '../../../conformance/catalogue/routes/load-routes.ts'
import { applies, compareVersions } from '../../../conformance/catalogue/routes/operations.ts'
import { standingOf } from '../../matrix/support/route-cells.ts'
import { cellsOf, entryOf } from './cells.ts'
import { loadMatrix } from './load-matrix.ts'
import { REGISTRAR_ACTIONS } from './registrar-actions.ts'
import { VERIFIER_ACTIONS } from './verifier-actions.ts'

const matrix = loadMatrix()
const requirements = new Map(loadRequirements().map((row) => [row.id, row]))
const ACTIONS = { registrar: REGISTRAR_ACTIONS, verifier: VERIFIER_ACTIONS }

/** Versions of the matrix. API 2.0 is left out: by line 366 it has no authentication yet. */
const VERSIONS = API_VERSIONS.filter((version) => compareVersions(version, '2.1') >= 0)

const pairs = matrix.operations.flatMap((entry) =>
  VERSIONS.filter((version) => applies(entry, version)).map((version) => ({ entry, version })),
)
const cells = pairs.flatMap(({ entry, version }) =>
  cellsOf(matrix, entry, version).map((cell) => ({ ...cell, version })),
)

test('there are more than two thousand cells, all different', () => {
  expect(cells.length).toBeGreaterThan(2000)
  expect(new Set(cells.map(({ id }) => id)).size).toBe(cells.length)
})

test('an operation has one category under a version', () => {
  const named = pairs.map(({ entry, version }) =>
    [entry.component, entry.operation, version].join(' '),
  )
  expect(named.filter((name, at) => named.indexOf(name) !== at)).toEqual([])
})

/** Paths without a version are public since 2.5; for earlier versions the document is silent. */
const routes = VERSIONS.flatMap((version) =>
  ROUTES.filter((row) => standingOf(row, version) !== 'absent')
    .filter((row) => row.unversioned !== true || compareVersions(version, '2.5') >= 0)
    .map((row) => ({ row, version })),
)

test('the matrix has every operation of the route table under every version that may have it', () => {
  const missing = routes.filter(({ row, version }) => entryOf(matrix, row, version) === undefined)
  expect(missing.map(({ row, version }) => `${row.component} ${row.operation} ${version}`)).toEqual(
    [],
  )
})

test('the matrix has no operation that the route table lacks under that version', () => {
  const known = new Set(
    routes.map(({ row, version }) => [row.component, row.operation, version].join(' ')),
  )
  const named = pairs.map(({ entry, version }) =>
    [entry.component, entry.operation, version].join(' '),
  )
  expect(named.filter((name) => !known.has(name))).toEqual([])
})

test('every operation has an action, and every action an operation', () => {
  for (const component of ['registrar', 'verifier'] as const) {
    const own = matrix.operations.filter((entry) => entry.component === component)
    const names = new Set(own.map(({ operation }) => operation))
    expect(new Set(Object.keys(ACTIONS[component]))).toEqual(names)
  }
})

test('each cell has a requirement that applies to its version', () => {
  const lost = cells.filter(({ requirement, version }) => {
    const row = requirements.get(requirement)
    return row === undefined || !applies(row, version)
  })
  expect([...new Set(lost.map(({ requirement, version }) => `${requirement} ${version}`))]).toEqual(
    [],
  )
})

test('an ambiguous cell has no fixed requirement', () => {
  const fixed = cells.filter(
    ({ expected, requirement }) =>
      expected === 'either' && requirements.get(requirement)?.strength === 'fixed',
  )
  expect([...new Set(fixed.map(({ requirement }) => requirement))]).toEqual([])
})

test('a header has three verdicts, one for each certificate', () => {
  const odd = matrix.categories.flatMap(({ id, verdicts }) =>
    Object.entries(verdicts)
      .filter(([header, all]) => {
        const isKnown = matrix.headers.some((row) => row.id === header)
        return !isKnown || all.length !== matrix.certificates.length
      })
      .map(([header]) => `${id}: ${header}`),
  )
  expect(odd).toEqual([])
})

test('every cited line exists in the document', () => {
  const { lines } = loadInterfaceDocument()
  const cited = [...matrix.headers, ...matrix.categories, ...matrix.operations].flatMap(
    (row) => row.lines,
  )
  expect(cited.filter((line) => line < 1 || line > lines)).toEqual([])
})

test('an agent is never allowed an administrator operation', () => {
  const admin = matrix.categories.filter(({ id }) => id.startsWith('admin'))
  const rows = admin.flatMap(({ verdicts }) => Object.entries(verdicts))
  const allowed = rows.flatMap(([header, all]) =>
    all
      .filter((verdict) => verdict.startsWith('allowed'))
      .map((verdict) => `${header}: ${verdict}`),
  )
  expect(new Set(allowed)).toEqual(new Set(['no header: allowed admin']))
})

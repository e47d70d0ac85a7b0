import { loadRequirements } from '../../../conformance/catalogue/load-requirements.ts'
import type { CatalogueRow } from '../../../conformance/catalogue/requirement.ts'
import { ROUTES } from '../../../conformance/catalogue/routes/load-routes.ts'
import { applies } from '../../../conformance/catalogue/routes/operations.ts'
import type { RouteRow } from '../../../conformance/catalogue/routes/route-row.ts'
import type { Context, Scenario } from '../../../conformance/scenario.ts'
import { type Finding, probeRoute } from './probe-route.ts'
import { cellsOf, knownPlaces, type RouteCell } from './route-cells.ts'
import { requirementOf, requirementsOf } from './route-requirements.ts'
import { unknownVersions } from './unknown-versions.ts'

const MATRIX = 'routes'
const SERVED_OR_ABSENT = {
  served: (finding: Finding) => finding === 'served',
  absent: (finding: Finding) => finding === 'absent',
}
/** Cell names do not depend on the prefix. */
const ANY_SPELLING = { 'verifier-prefix': 'v3' } as const

interface Operation {
  readonly component: RouteRow['component']
  readonly name: string
  readonly rows: readonly RouteRow[]
}

/** Returns one scenario for each operation of the route table; it requests every cell of its rows. */
export function routesFamily(place: string): readonly Scenario[] {
  const catalogue = new Map(loadRequirements().map((row) => [row.id, row]))
  return [
    ...operationsOf(ROUTES).map((operation) => routesScenario(place, operation, catalogue)),
    unknownVersions(place, 'registrar'),
    unknownVersions(place, 'verifier'),
  ]
}

function operationsOf(table: readonly RouteRow[]): readonly Operation[] {
  const isFirst = (row: RouteRow, at: number) => table.findIndex(isLike(row)) === at
  return table.filter(isFirst).map((row) => ({
    component: row.component,
    name: row.operation,
    rows: table.filter(isLike(row)),
  }))
}

function isLike({ component, operation }: RouteRow) {
  return (other: RouteRow) => other.component === component && other.operation === operation
}

type Catalogue = ReadonlyMap<string, CatalogueRow>

function routesScenario(place: string, operation: Operation, catalogue: Catalogue): Scenario {
  const { component, name, rows } = operation
  return {
    id: `${place}.${component}.${name}`,
    title: `The ${component} serves ${name} in exactly the versions that define it`,
    requirements: [...new Set(rows.flatMap(requirementsOf))],
    role: component,
    since: rows.every(({ unversioned }) => unversioned) ? '2.3' : '1.0',
    matrix: {
      name: MATRIX,
      cells: (version) =>
        rows.flatMap((row) => cellsOf(row, version, ANY_SPELLING).map((cell) => cell.name)),
    },
    async run(context) {
      for (const row of rows) {
        for (const cell of cellsOf(row, context.version, context[component].dialect)) {
          if (context.asks(cell.name)) await askCell(context, row, cell, catalogue)
        }
      }
    },
  }
}

async function askCell(
  context: Context,
  row: RouteRow,
  cell: RouteCell,
  catalogue: Catalogue,
): Promise<void> {
  const finding = await findingOf(context, row, cell)
  const { name, method, path, standing, ambiguity } = cell
  if (finding === 'unclear') {
    context.observe('ROUTE', name, 'an answer that every path receives, so nothing is proven')
    return
  }
  if (ambiguity !== undefined) context.observe(ambiguity, name, finding)
  const isAbout = (id: string) => {
    const known = catalogue.get(id)
    return known !== undefined && applies(known, context.version)
  }
  const requirement = requirementOf(row, cell, isAbout)
  const received = context.check(requirement, `${method} ${path}`, name).of<Finding>(finding)
  if (catalogue.get(requirement)?.strength === 'either') received.meets(SERVED_OR_ABSENT)
  else received.is(standing === 'either' ? 'served' : standing)
}

async function findingOf(context: Context, row: RouteRow, cell: RouteCell): Promise<Finding> {
  const { version, random, verifier } = context
  const client = context[row.component]
  const parts = { client, credentials: verifier.admin, random }
  const known = knownPlaces(row.component, version, client.dialect)
  let finding: Finding = 'absent'
  for (const place of [cell, ...cell.alternatives]) {
    finding = await probeRoute(parts, place, known)
    if (finding !== 'absent') return finding
  }
  return finding
}

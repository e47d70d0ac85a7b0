import Table from 'cli-table3'
import { API_VERSIONS } from '../catalogue/requirement.ts'
import { applies } from '../catalogue/routes/operations.ts'
import type { Role } from '../report/result.ts'
import type { Scenario } from '../scenario.ts'

export interface MatrixSize {
  readonly name: string
  readonly role: Role
  /** Number of cells under each version of the document, oldest first. */
  readonly byVersion: readonly number[]
  /** Number of different cells; one without a version counts once. */
  readonly all: number
}

type Filler = Pick<Scenario, 'matrix' | 'role' | 'since' | 'until'>

/** The number of cells of each matrix per component and version. */
export function sizeMatrices(scenarios: readonly Filler[]): readonly MatrixSize[] {
  const parts = scenarios.flatMap(({ matrix, ...scenario }) =>
    matrix === undefined ? [] : [{ ...scenario, matrix }],
  )
  const names = [...new Set(parts.map(({ matrix }) => matrix.name))].toSorted()
  return names.flatMap((name) => {
    const own = parts.filter(({ matrix }) => matrix.name === name)
    return [...new Set(own.map(({ role }) => role))].toSorted().map((role) => {
      const cellsOf = (version: string) =>
        own
          .filter((part) => part.role === role && applies(part, version))
          .flatMap(({ matrix }) => matrix.cells(version))
      return {
        name,
        role,
        byVersion: API_VERSIONS.map((version) => new Set(cellsOf(version)).size),
        all: new Set(API_VERSIONS.flatMap(cellsOf)).size,
      }
    })
  })
}

/** The output of `assay coverage --matrices`. */
export function presentMatrices(scenarios: readonly Filler[]): string {
  const sizes = sizeMatrices(scenarios)
  const head = ['matrix', 'component', ...API_VERSIONS, 'cells']
  const table = new Table({
    head,
    colAligns: head.map((_, at) => (at < 2 ? 'left' : 'right')),
    style: { head: [], border: [], compact: true },
  })
  for (const { name, role, byVersion, all } of sizes) table.push([name, role, ...byVersion, all])
  const total = sizes.reduce((sum, { all }) => sum + all, 0)
  return `${table.toString()}\n${total} cells in ${new Set(sizes.map(({ name }) => name)).size} matrices\n`
}

import { applies } from '../../catalogue/routes/operations.ts'
import { SetupFault } from '../../input/fault.ts'
import { nearestOf } from '../../input/nearest.ts'
import type { Scenario } from '../../scenario.ts'

/** `--only ID#CELL`: a scenario, and one cell of its matrix. */
interface CellSelection {
  readonly id: string
  readonly cell: string
}

function cellIn(pattern: string): CellSelection | undefined {
  const at = pattern.indexOf('#')
  return at === -1 ? undefined : { id: pattern.slice(0, at), cell: pattern.slice(at + 1) }
}

/** Whether a pattern of `--only` selects a scenario: an id, `prefix*`, or the id with a cell. */
export function selects(pattern: string, id: string): boolean {
  const named = cellIn(pattern)?.id ?? pattern
  return named.endsWith('*') ? id.startsWith(named.slice(0, -1)) : named === id
}

/** The chosen cells of a scenario; undefined if all of its cells are asked. */
export function chosenCells(only: readonly string[], id: string): readonly string[] | undefined {
  const own = only.filter((pattern) => selects(pattern, id))
  const cells = own.flatMap((pattern) => cellIn(pattern)?.cell ?? [])
  return own.length > 0 && cells.length === own.length ? cells : undefined
}

/** Throws a {@link SetupFault} for a pattern that selects no scenario, and suggests one that does. */
export function refuseUnknownSelections(
  only: readonly string[],
  scenarios: readonly Pick<Scenario, 'id'>[],
): void {
  const ids = scenarios.map(({ id }) => id)
  for (const pattern of only) {
    if (pattern.includes('#') || ids.some((id) => selects(pattern, id))) continue
    const below = ids.filter((id) => id.startsWith(`${pattern}.`)).length
    const next =
      below > 0
        ? `--only '${pattern}.*' selects ${below} scenarios`
        : suggestion(nearestOf(pattern, ids), 'assay list shows them all')
    throw new SetupFault(`no scenario matches --only ${pattern}`, { next })
  }
}

/** Throws a {@link SetupFault} for a cell that no scenario has under the versions of the run. */
export function refuseUnknownCells(
  only: readonly string[],
  scenarios: readonly Scenario[],
  versions: readonly string[],
): void {
  for (const pattern of only) {
    const named = cellIn(pattern)
    if (named !== undefined) refuseUnknownCell(named, scenarios, versions)
  }
}

function refuseUnknownCell(
  { id, cell }: CellSelection,
  scenarios: readonly Scenario[],
  versions: readonly string[],
): void {
  const scenario = scenarios.find((one) => one.id === id)
  if (scenario === undefined)
    throw new SetupFault(`--only ${id}#${cell}: no scenario has the id ${id}`, {
      next: suggestion(
        nearestOf(
          id,
          scenarios.flatMap((one) => (one.matrix === undefined ? [] : one.id)),
        ),
        'assay list shows them all',
      ),
    })
  const { matrix } = scenario
  if (matrix === undefined)
    throw new SetupFault(`${id} fills no matrix, so it has no cell ${JSON.stringify(cell)}`, {
      next: `use --only ${id}`,
    })
  const own = versions.filter((version) => applies(scenario, version))
  const cells = [...new Set(own.flatMap((version) => matrix.cells(version)))]
  if (cells.includes(cell)) return
  throw new SetupFault(
    `${id} has no cell ${JSON.stringify(cell)} in the matrix ${matrix.name} under the versions of this run`,
    { next: suggestion(nearestOf(cell, cells), `one of its ${cells.length} cells is ${cells[0]}`) },
  )
}

function suggestion(near: readonly string[], otherwise: string): string {
  return near.length === 0 ? otherwise : `did you mean ${near.join(', or ')}?`
}

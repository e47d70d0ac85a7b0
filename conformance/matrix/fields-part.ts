import type { Scenario } from '../runner/scenario.ts'
import { loadRequirements } from '../spec/load-requirements.ts'
import type { CatalogueRow, ReplyName } from '../spec/requirement.ts'
import { fieldCells } from '../wire/field-cells.ts'

export const FIELDS = 'fields'

let catalogue: readonly CatalogueRow[] | undefined

/** The cells of some replies in the matrix of fields, for a scenario that gets to see each of them. */
export function fieldsOf(
  replies: readonly ReplyName[],
): Required<Pick<Scenario, 'replies' | 'matrix' | 'requirements'>> {
  return {
    requirements: [],
    replies,
    matrix: {
      name: FIELDS,
      cells: (version) => {
        catalogue ??= loadRequirements()
        const rows = catalogue
        const cells = replies.flatMap((reply) => fieldCells(rows, reply, version))
        return [...new Set(cells.map(({ name }) => name))]
      },
    },
  }
}

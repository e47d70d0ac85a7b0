import { loadRequirements } from '../../../conformance/catalogue/load-requirements.ts'
import type { CatalogueRow, ReplyName } from '../../../conformance/catalogue/requirement.ts'
import type { Scenario } from '../../../conformance/scenario.ts'
import { FIELDS, fieldCells } from '../../../conformance/schemas/field-cells.ts'

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

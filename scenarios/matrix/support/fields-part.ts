import { loadRequirements } from '../../../conformance/catalogue/load-requirements.ts'
import type { CatalogueRow, ReplyName } from '../../../conformance/catalogue/requirement.ts'
import type { Scenario } from '../../../conformance/scenario.ts'
import { FIELDS, fieldCells } from '../../../conformance/schemas/field-cells.ts'

let catalogue: readonly CatalogueRow[] | undefined

/** Returns the cells of these replies in the field matrix, for a scenario that receives each of them. */
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

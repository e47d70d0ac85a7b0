import type { MatrixResult } from '../../report/requirement-result.ts'
import { ROLES, type ScenarioResult } from '../../report/result.ts'
import type { Scenario } from '../../scenario.ts'

/**
 * The matrices that scenarios of this run fill: defined cells, executed cells, and cells that did not hold.
 *
 * @param roles the roles under test; default: all
 */
export function summarizeMatrices(
  scenarios: readonly Scenario[],
  results: readonly ScenarioResult[],
  roles: readonly string[] = ROLES,
): readonly MatrixResult[] {
  const parts = results.flatMap((result) => {
    const matrix = scenarios.find(({ id }) => id === result.id)?.matrix
    return matrix === undefined || !roles.includes(result.role) ? [] : [{ result, matrix }]
  })
  const names = [...new Set(parts.map(({ matrix }) => matrix.name))].sort()
  return names.map((name) => {
    const own = parts.filter(({ matrix }) => matrix.name === name)
    const checks = own.flatMap(({ result }) =>
      result.checks.filter(({ cell }) => cell !== undefined),
    )
    const cells = (some: typeof checks) => [...new Set(some.map(({ cell = '' }) => cell))]
    return {
      name,
      defined: new Set(own.flatMap(({ result, matrix }) => matrix.cells(result.version))).size,
      executed: cells(checks).length,
      red: cells(checks.filter(({ ok }) => !ok)),
    }
  })
}

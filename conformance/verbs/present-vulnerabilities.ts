import { scenariosOf, type Vulnerability } from './load-vulnerabilities.ts'

/** A paragraph for each weakness: a description, and the scenarios that detect it, or the reason why none can. */
export function presentVulnerabilities(
  rows: readonly Vulnerability[],
  ids: readonly string[],
): string {
  const found = rows.filter(({ scenarios }) => scenarios !== undefined)
  return [
    ...rows.flatMap((row) => [`${row.id}  ${row.of}: ${row.says}`, `    ${describe(row, ids)}`]),
    '',
    `${rows.length} published weaknesses: ${found.length} with scenarios that detect them, ${rows.length - found.length} that requests cannot detect`,
    '',
  ].join('\n')
}

function describe(row: Vulnerability, ids: readonly string[]): string {
  if (row.not !== undefined) return `no scenario: ${row.not}`
  const { length } = scenariosOf(row, ids)
  return `${length} ${length === 1 ? 'scenario' : 'scenarios'}: ${row.scenarios?.join(', ')}`
}

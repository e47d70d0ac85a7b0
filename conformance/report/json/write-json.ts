import type { RunResult } from '../result.ts'

/** A list of objects with one object per line; any other value as usual. */
const memberOf = (value: unknown): string => {
  if (!Array.isArray(value) || typeof value[0] !== 'object')
    return JSON.stringify(value, null, 2).replaceAll('\n', '\n  ')
  return `[\n${value.map((item) => `    ${JSON.stringify(item)}`).join(',\n')}\n  ]`
}

/**
 * The text of `result.json`, as in `reports/schema/result.schema.json`, with one line per scenario, requirement and
 * matrix.
 */
export const jsonOf = (result: RunResult): string => {
  const members = Object.entries(result).map(([name, value]) => `  "${name}": ${memberOf(value)}`)
  return `{\n${members.join(',\n')}\n}\n`
}

import { brokenChecks } from './diff/standing.ts'
import type { RunResult, ScenarioResult } from './result.ts'

/** A cell of a matrix with a check that did not hold. */
export interface RedCell {
  readonly scenario: ScenarioResult
  readonly cell: string
}

/** A word of a shell command. */
const quoted = (word: string): string =>
  /^[\w.:-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`

/** The name of a cell, as `--only` takes it. */
export const cellName = (id: string, cell: string): string => `${id}#${cell}`

/** The command that repeats one cell of a scenario. */
export const cellCommand = (
  { id, repeat }: Pick<ScenarioResult, 'id' | 'repeat'>,
  cell: string,
): string => repeat.replace(`--only ${id}`, () => `--only ${quoted(cellName(id, cell))}`)

/** Every red cell once, in the order of the run. */
export const redCells = ({ scenarios }: Pick<RunResult, 'scenarios'>): readonly RedCell[] =>
  scenarios.flatMap((scenario) => {
    const cells = new Set(brokenChecks(scenario.checks).flatMap(({ cell }) => cell ?? []))
    return [...cells].map((cell) => ({ scenario, cell }))
  })

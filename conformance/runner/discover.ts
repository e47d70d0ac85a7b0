import { readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { CatalogueRow } from '../spec/requirement.ts'
import { rowsOfReply } from '../wire/check-fields.ts'
import type { Scenario } from './scenario.ts'

/** Where scenario files live, from the sources as from `dist/`. */
export const SCENARIOS = fileURLToPath(new URL('../../scenarios', import.meta.url))

/**
 * Loads every scenario below a directory and holds each to the catalogue: its id is its path, its
 * requirements exist, its twin exists. Anything else is a fault of the suite and named as such.
 */
export async function discoverScenarios(
  requirements: readonly CatalogueRow[],
  directory: string = SCENARIOS,
): Promise<readonly Scenario[]> {
  const scenarios: Scenario[] = []
  for (const file of await listFiles(directory)) {
    const module = (await import(pathToFileURL(file).href)) as { default?: Scenario }
    scenarios.push(checkPlace(module.default, relative(directory, file)))
  }
  const known = new Set(requirements.map(({ id }) => id))
  const ids = new Set(scenarios.map(({ id }) => id))
  for (const scenario of scenarios) checkReferences(scenario, known, ids)
  return scenarios
    .map((scenario) => withFieldRows(scenario, requirements))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
}

async function listFiles(directory: string): Promise<readonly string[]> {
  const names = await readdir(directory, { recursive: true })
  return names
    .filter((name) => /\.[jt]s$/.test(name) && !/\.(d|test)\.[jt]s$/.test(name))
    .sort()
    .map((name) => join(directory, name))
}

function checkPlace(scenario: Scenario | undefined, path: string): Scenario {
  if (typeof scenario?.run !== 'function') throw new Error(`scenarios/${path} exports no scenario`)
  const expected = path
    .replace(/\.[jt]s$/, '')
    .split(sep)
    .join('.')
  if (scenario.id !== expected)
    throw new Error(`scenarios/${path} has the id ${scenario.id}, its place says ${expected}`)
  return scenario
}

function checkReferences(
  scenario: Scenario,
  known: ReadonlySet<string>,
  ids: ReadonlySet<string>,
): void {
  if (scenario.requirements.length === 0 && scenario.replies === undefined)
    throw new Error(`${scenario.id} speaks for no requirement`)
  for (const id of scenario.requirements) {
    if (!known.has(id))
      throw new Error(`${scenario.id} speaks for ${id}, which the catalogue does not have`)
  }
  if (scenario.variantOf !== undefined && !ids.has(scenario.variantOf)) {
    throw new Error(`${scenario.id} is a variant of ${scenario.variantOf}, which does not exist`)
  }
}

/** A scenario that looks at whole replies speaks for every field row of theirs. */
function withFieldRows(scenario: Scenario, rows: readonly CatalogueRow[]): Scenario {
  const { replies = [], requirements } = scenario
  const added = replies.flatMap((reply) => rowsOfReply(rows, reply).map(({ id }) => id))
  return { ...scenario, requirements: [...new Set([...requirements, ...added])] }
}

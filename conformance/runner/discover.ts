import { sep } from 'node:path'
import { API_VERSIONS, type CatalogueRow } from '../catalogue/requirement.ts'
import { SetupFault } from '../input/fault.ts'
import type { Scenario } from '../scenario.ts'
import { fieldCells } from '../schemas/field-cells.ts'
import { importScenarioFile } from './import-scenario-file.ts'
import { loadScenarioFiles } from './scenario-files.ts'

/**
 * Loads every scenario below a directory and checks it against the catalogue: its id is its path, or begins with the
 * path in a family; its requirements and its twin exist. Throws an `Error` for anything else: that is a defect of the
 * suite.
 */
export async function discoverScenarios(
  requirements: readonly CatalogueRow[],
  directory?: string,
): Promise<readonly Scenario[]> {
  const files = await loadScenarioFiles(directory)
  const scenarios = files.flatMap(([path, exported]) => checkPlaces(exported, path))
  const known = new Set(requirements.map(({ id }) => id))
  const ids = new Set(scenarios.map(({ id }) => id))
  refuseDuplicateIds(scenarios)
  for (const scenario of scenarios) checkReferences(scenario, known, ids)
  refuseTwinsThatRunAlone(scenarios)
  return scenarios
    .map((scenario) => withFieldRows(scenario, requirements))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
}

/**
 * Loads the scenario of any file and checks it against the catalogue. Throws a {@link SetupFault} for any other file.
 */
export async function loadScenario(
  file: string,
  requirements: readonly CatalogueRow[],
): Promise<Scenario> {
  const exported = await importScenarioFile(file).catch((cause: Error) => {
    const why = cause.message.replaceAll(/\s*\n\s*/g, ' ')
    throw new SetupFault(`${file} cannot be loaded as a scenario: ${why}`, {
      next: 'name a file that assay explore has written',
      cause,
    })
  })
  const scenario = exported as Partial<Scenario> | undefined
  if (typeof scenario?.run !== 'function')
    throw new SetupFault(`${file} exports no scenario`, {
      next: 'name a file that assay explore has written',
    })
  const loaded = scenario as Scenario
  checkReferences(loaded, new Set(requirements.map(({ id }) => id)), new Set())
  return withFieldRows(loaded, requirements)
}

/** One scenario, which has its file's path as its id, or a family, whose ids begin with that path. */
function checkPlaces(exported: unknown, path: string): readonly Scenario[] {
  const place = path
    .replace(/\.[jt]s$/, '')
    .split(sep)
    .join('.')
  const source = `scenarios/${path.split(sep).join('/')}`
  if (!Array.isArray(exported)) {
    const fits = (id: string) => withDots(id) === withDots(place)
    return [{ ...checkPlace(exported, path, `its path gives ${place}`, fits), source }]
  }
  if (exported.length === 0) throw new Error(`scenarios/${path} exports an empty family`)
  const rule = `a family with this path begins with ${place}.`
  const fits = (id: string) => withDots(id).startsWith(`${withDots(place)}.`)
  return exported.map((one) => ({ ...checkPlace(one, path, rule, fits), source }))
}

/** Folders may group ids by their hyphens: `session.proof-late` may be in `session/proof/late.ts`. */
function withDots(id: string): string {
  return id.replaceAll('-', '.')
}

function checkPlace(
  exported: unknown,
  path: string,
  rule: string,
  fits: (id: string) => boolean,
): Scenario {
  const scenario = exported as Scenario | undefined
  if (typeof scenario?.run !== 'function') throw new Error(`scenarios/${path} exports no scenario`)
  if (!fits(scenario.id)) throw new Error(`scenarios/${path} has the id ${scenario.id}, ${rule}`)
  return scenario
}

/** Paths are unique; the ids of families need a check. */
function refuseDuplicateIds(scenarios: readonly Scenario[]): void {
  const seen = new Set<string>()
  for (const { id } of scenarios) {
    if (seen.has(id)) throw new Error(`two scenarios have the id ${id}`)
    seen.add(id)
  }
}

/** A scenario that runs alone waits for all others, so a twin that runs alone would never end before its variant. */
function refuseTwinsThatRunAlone(scenarios: readonly Scenario[]): void {
  const alone = new Set(scenarios.flatMap((one) => (one.alone === true ? [one.id] : [])))
  for (const { id, variantOf } of scenarios) {
    if (variantOf !== undefined && alone.has(variantOf) && !alone.has(id))
      throw new Error(`${id} is a variant of ${variantOf}, and does not run alone as that does`)
  }
}

function checkReferences(
  scenario: Scenario,
  known: ReadonlySet<string>,
  ids: ReadonlySet<string>,
): void {
  if (scenario.requirements.length === 0 && scenario.replies === undefined)
    throw new Error(`${scenario.id} covers no requirement`)
  for (const id of scenario.requirements) {
    if (!known.has(id))
      throw new Error(`${scenario.id} covers ${id}, which the catalogue does not have`)
  }
  if (scenario.variantOf !== undefined && !ids.has(scenario.variantOf)) {
    throw new Error(`${scenario.id} is a variant of ${scenario.variantOf}, which does not exist`)
  }
}

/** A scenario that checks whole replies covers every field row of those replies. */
function withFieldRows(scenario: Scenario, rows: readonly CatalogueRow[]): Scenario {
  const { replies = [], requirements } = scenario
  const added = replies.flatMap((reply) =>
    API_VERSIONS.flatMap((version) =>
      fieldCells(rows, reply, version).map(({ requirement }) => requirement),
    ),
  )
  return { ...scenario, requirements: [...new Set([...requirements, ...added])] }
}

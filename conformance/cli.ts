import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  loadCatalogue,
  loadInterfaceDocument,
  loadRequirements,
} from './catalogue/load-requirements.ts'
import { SetupFault } from './input/fault.ts'
import {
  parseCoverageOptions,
  parseExplainArguments,
  parseListOptions,
  parseRunOptions,
} from './options/cli-options.ts'
import { defaultTarget } from './options/default-target.ts'
import { refuseUnknownSelections, selects } from './runner/cells/cell-selection.ts'
import { discoverScenarios } from './runner/discover.ts'
import { runCommand } from './runner/run-command.ts'
import type { Scenario } from './scenario.ts'

/** The default place of the last result, relative to the working directory. */
const LAST_RESULT = join('reports', 'out', 'result.json')

type Verb = (argv: readonly string[]) => Promise<number>

/** Verbs that are used rarely import their modules when they are called. */
const VERBS: Readonly<Record<string, Verb>> = {
  run,
  list,
  coverage,
  explain,
  doctor: async (argv) => (await import('./doctor/doctor.ts')).doctorMain(argv),
  init: async (argv) => {
    const { probeAgents } = await import('./doctor/probe-agents.ts')
    const { usualPlaces } = await import('./doctor/keylime/read-settings.ts')
    return (await import('./doctor/init.ts')).initMain(argv, {
      probeAgents,
      configured: usualPlaces(process.env),
      stateDirectory: process.env['KEYLIME_DIR'],
    })
  },
  report: async (argv) => (await import('./verbs/report-main.ts')).reportMain(argv),
}

/** Runs a verb of the harness; `argv[0]` is its name. Returns the exit code: 0 conforms, 1 does not, 2 no verdict. */
export async function main(argv: readonly string[]): Promise<number> {
  const [verb = '', ...rest] = argv
  const command = VERBS[verb]
  if (command === undefined) throw new SetupFault(`unknown verb ${verb}`)
  return command(rest)
}

async function run(argv: readonly string[]): Promise<number> {
  const options = parseRunOptions(argv, defaultTarget())
  if (options === undefined) return 0
  return runCommand(options, process.stdout)
}

async function list(argv: readonly string[]): Promise<number> {
  const options = parseListOptions(argv)
  if (options === undefined) return 0
  const scenarios = await discoverScenarios(loadRequirements())
  const { only } = options
  refuseUnknownSelections(only, scenarios)
  const shown = scenarios.filter(
    ({ id }) => only.length === 0 || only.some((pattern) => selects(pattern, id)),
  )
  if (options.json) {
    process.stdout.write(presentList(shown))
    return 0
  }
  for (const { id, since, until, title } of shown) {
    process.stdout.write(`${id}  ${since}-${until ?? ''}  ${title}\n`)
  }
  process.stdout.write(`${shown.length} scenarios\n`)
  return 0
}

/** The JSON of `assay list --json`. */
function presentList(scenarios: readonly Scenario[]): string {
  const rows = scenarios.map(
    ({ id, title, role, since, until, needs, requirements, variantOf }) => ({
      ...{ id, title, role, since, until, needs, requirements },
      variant_of: variantOf,
    }),
  )
  return `${JSON.stringify({ schema: 'assay.list/1', scenarios: rows }, null, 2)}\n`
}

async function coverage(argv: readonly string[]): Promise<number> {
  const options = parseCoverageOptions(argv)
  if (options === undefined) return 0
  if (options.adversarial) return adversarialCases()
  const { rows, silences } = loadCatalogue()
  const scenarios = await discoverScenarios(rows)
  if (options.vulnerabilities) return vulnerabilities(scenarios)
  if (options.matrices) {
    const { presentMatrices } = await import('./verbs/present-matrices.ts')
    process.stdout.write(presentMatrices(scenarios))
    return 0
  }
  const { lines } = loadInterfaceDocument()
  const { loadInterfaceLines, loadLineClasses, proveLines } = await import(
    './catalogue/prove-lines.ts'
  )
  const { presentCoverage } = await import('./verbs/present-coverage.ts')
  const { loadResult } = await import('./report/json/load-result.ts')
  const proof = proveLines([...rows, ...silences], loadLineClasses(), lines, loadInterfaceLines())
  const last = options.result ?? (existsSync(LAST_RESULT) ? LAST_RESULT : undefined)
  const result = last === undefined ? {} : { result: await loadResult(last) }
  process.stdout.write(presentCoverage({ rows, silences, scenarios, proof, ...result }))
  return 0
}

async function adversarialCases(): Promise<number> {
  const { standingCases } = await import('./catalogue/adversarial/load-cases.ts')
  const { presentCases } = await import('./catalogue/adversarial/present-cases.ts')
  process.stdout.write(presentCases(standingCases()))
  return 0
}

async function vulnerabilities(scenarios: readonly Scenario[]): Promise<number> {
  const { loadVulnerabilities } = await import('./verbs/load-vulnerabilities.ts')
  const { presentVulnerabilities } = await import('./verbs/present-vulnerabilities.ts')
  const ids = scenarios.map(({ id }) => id)
  process.stdout.write(presentVulnerabilities(loadVulnerabilities(), ids))
  return 0
}

async function explain(argv: readonly string[]): Promise<number> {
  const id = parseExplainArguments(argv)
  if (id === undefined) return 0
  const { rows, silences } = loadCatalogue()
  const scenarios = await discoverScenarios(rows)
  const { presentExplanation } = await import('./verbs/present-explanation.ts')
  process.stdout.write(`${presentExplanation({ id, rows, silences, scenarios }).trimEnd()}\n`)
  return 0
}

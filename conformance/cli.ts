import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseListOptions, parseLookOptions, parseRunOptions } from './cli-options.ts'
import { packageRoot } from './package-root.ts'
import { discoverScenarios } from './runner/discover.ts'
import { judge } from './runner/judge.ts'
import { selects } from './runner/plan.ts'
import { loadRequirements } from './spec/load-requirements.ts'
import { SetupFault } from './target/fault.ts'

type Verb = (argv: readonly string[]) => Promise<number>

/** What is rarely asked for is loaded only when it is. */
const VERBS: Readonly<Record<string, Verb>> = {
  run,
  list,
  look,
  doctor: async (argv) => (await import('./doctor/doctor.ts')).doctorMain(withTarget(argv)),
  init: async (argv) => (await import('./doctor/init.ts')).initMain(argv),
  report: async (argv) => (await import('./report/report-main.ts')).reportMain(argv),
}

/** The judge's verbs; `argv[0]` is the verb. Returns the exit code: 0 conforms, 1 does not, 2 no verdict. */
export async function main(argv: readonly string[]): Promise<number> {
  const [verb = '', ...rest] = argv
  const command = VERBS[verb]
  if (command === undefined) throw new SetupFault(`there is no verb called ${verb}`)
  return command(rest)
}

async function run(argv: readonly string[]): Promise<number> {
  const options = parseRunOptions(argv, defaultTarget())
  if (options === undefined) return 0
  return judge(options, process.stdout)
}

async function list(argv: readonly string[]): Promise<number> {
  const options = parseListOptions(argv)
  if (options === undefined) return 0
  const scenarios = await discoverScenarios(loadRequirements())
  const { only } = options
  const shown = scenarios.filter(
    ({ id }) => only.length === 0 || only.some((pattern) => selects(pattern, id)),
  )
  for (const { id, since, until, title } of shown) {
    process.stdout.write(`${id}  ${since}-${until ?? ''}  ${title}\n`)
  }
  process.stdout.write(`${shown.length} scenarios\n`)
  return 0
}

async function look(argv: readonly string[]): Promise<number> {
  const options = parseLookOptions(argv)
  if (options === undefined) return 0
  const { lookCommand } = await import('./look.ts')
  return lookCommand(options.report, options.out)
}

function withTarget(argv: readonly string[]): readonly string[] {
  const told = argv.some((word) => word === '--target' || word.startsWith('--target='))
  return told ? argv : ['--target', defaultTarget(), ...argv]
}

/** Our own reference's target file, where this copy carries the reference. */
function defaultTarget(): string {
  const file = join(packageRoot(), 'reference', 'assay.target.yaml')
  return existsSync(file) ? relative(process.cwd(), file) : 'assay.target.yaml'
}

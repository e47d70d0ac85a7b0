import { Command, CommanderError, InvalidArgumentError } from 'commander'
import { SetupFault } from './target/fault.ts'

export interface RunOptions {
  readonly target: string
  readonly seed?: string
  readonly only: readonly string[]
  readonly out: string
  readonly parallel: number
}

const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value]

function readParallel(text: string): number {
  if (/^[1-9]\d?$/.test(text)) return Number(text)
  throw new InvalidArgumentError('it takes a whole number from 1 to 99.')
}

function readSeed(text: string): string {
  if (/^[0-9A-Za-z_-]{1,64}$/.test(text)) return text
  throw new InvalidArgumentError('it takes letters, digits, "-" and "_", 64 at the most.')
}

/** Options of `assay run`; undefined when the person asked for help and got it. */
export function parseRunOptions(
  argv: readonly string[],
  defaultTarget: string,
): RunOptions | undefined {
  const command = new Command('assay run')
    .description('judges a deployment by its target file and writes the report')
    .option('--target <file>', 'target file', defaultTarget)
    .option('--seed <seed>', 'repeats a run: every random choice follows from it', readSeed)
    .option('--only <id>', 'a scenario, or prefix* for several; may be given again', collect, [])
    .option('--out <directory>', 'where reports and run directories go', 'reports/out')
    .option('--parallel <number>', 'scenarios at the same time', readParallel, 2)
  return parse(command, argv)?.opts<RunOptions>()
}

export function parseListOptions(
  argv: readonly string[],
): { readonly only: readonly string[] } | undefined {
  const command = new Command('assay list')
    .description('lists the scenarios with their versions and requirements')
    .option('--only <id>', 'a scenario, or prefix* for several; may be given again', collect, [])
  return parse(command, argv)?.opts()
}

export function parseLookOptions(
  argv: readonly string[],
): { readonly report: string; readonly out: string } | undefined {
  const command = new Command('assay look')
    .description('opens a report in headless Chromium without a network and takes pictures of it')
    .option('--report <file>', 'the HTML report', 'reports/out/report.html')
    .option('--out <directory>', 'where the pictures go', 'reports/out/look')
  return parse(command, argv)?.opts()
}

function parse(command: Command, argv: readonly string[]): Command | undefined {
  command
    .exitOverride()
    .allowExcessArguments(false)
    .configureOutput({ writeErr: () => undefined })
  try {
    return command.parse(argv, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.code === 'commander.helpDisplayed') return undefined
    throw new SetupFault(error.message.replace(/^error: /, ''), {
      next: `assay ${command.name().split(' ').at(-1)} --help lists the options`,
    })
  }
}

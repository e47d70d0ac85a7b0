import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { StartFault } from '../../errors.ts'
import { TARGET_NAMES } from './targets.ts'

/** What `assay fuzz TARGET` was told. */
export interface FuzzCommand {
  readonly target: string
  readonly seed: number
  readonly runs: number
  readonly seconds?: number
  /** repeat this run alone; runs it went on from come first */
  readonly run?: readonly number[]
  /** judge what this file holds, and nothing else */
  readonly input?: string
  /** write the corpus anew */
  readonly keep: boolean
  readonly out: string
}

const MOST_SEED = 0xffffffff

function readNumber(most: number): (text: string) => number {
  return (text) => {
    const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
    if (number <= most) return number
    throw new InvalidArgumentError(`it takes a whole number from 0 to ${most}.`)
  }
}

function readLineage(text: string): readonly number[] {
  if (/^\d{1,10}(?::\d{1,10})*$/.test(text)) return text.split(':').map(Number)
  throw new InvalidArgumentError('it takes a run such as 4711, or 12:345:4711 as a finding has it.')
}

/** The options, or undefined when the person asked for help and got it. */
export function parseFuzzCommand(argv: readonly string[], seed: number): FuzzCommand | undefined {
  const command = new Command('assay fuzz')
    .description('feeds the reference mutated evidence and looks for what must not happen')
    .argument('<what>', TARGET_NAMES.join(', '))
    .addOption(
      new Option('--seed <number>', 'repeats a session')
        .argParser(readNumber(MOST_SEED))
        .default(seed, 'drawn'),
    )
    .option('--runs <number>', 'inputs to try', readNumber(1e9), 100_000)
    .option('--seconds <number>', 'ends earlier', readNumber(1e6))
    .option('--run <run>', 'repeats one run of the seed, with what it does said', readLineage)
    .option('--input <file>', 'judges the input in a file that a finding was written to')
    .option('--keep', 'writes the corpus in fixtures/fuzz anew', false)
    .option('--out <directory>', 'where findings go', 'reports/out/fuzz')
    .exitOverride()
    .allowExcessArguments(false)
    .configureOutput({ writeErr: () => undefined })
  try {
    const parsed = command.parse(argv, { from: 'user' })
    return { ...parsed.opts<Omit<FuzzCommand, 'target'>>(), target: checked(parsed.args[0]) }
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.code === 'commander.helpDisplayed') return undefined
    throw new StartFault(
      error.message.replace(/^error: /, ''),
      'assay fuzz --help lists the options',
    )
  }
}

function checked(name = ''): string {
  if (TARGET_NAMES.includes(name)) return name
  throw new StartFault(`there is nothing called ${name} to fuzz`, `use ${TARGET_NAMES.join(', ')}`)
}

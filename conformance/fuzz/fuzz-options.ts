import { Argument, Command, InvalidArgumentError } from 'commander'
import { parse, readSeed } from '../cli-options.ts'
import { FUZZ_KINDS, type FuzzKind, KIND_NAMES } from './kinds.ts'

export interface FuzzOptions {
  /** Absent when a finding is replayed: its file says it. */
  readonly kind?: FuzzKind
  readonly target: string
  readonly seed?: string
  readonly runs: number
  readonly seconds: number
  readonly rate: number
  readonly replay?: string
  readonly out: string
}

function wholeNumber(least: number, most: number) {
  return (text: string): number => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= least && value <= most) return value
    throw new InvalidArgumentError(`it takes a whole number from ${least} to ${most}.`)
  }
}

function kindLines(): string {
  const lines = KIND_NAMES.map((name) => `  ${name.padEnd(14)}${FUZZ_KINDS[name]}`)
  return ['', 'Kinds:', ...lines].join('\n')
}

const REST = `
What is sent goes to the deployment that the target file names and nowhere else. Agents are made under ids that begin
with a55af022, and deleted at the end, also after Ctrl-C.

What can be found, the worst first:
  false pass      evidence was taken that says what it must not
  lost service    the next honest request is not answered right
  server error    HTTP 5xx
  hang            no answer within time.request_within of the target file
  changed answer  the same request was answered in two ways

Exit code: 0 nothing found, 1 findings, 2 could not run.`

/** Options of `assay fuzz` on the wire; undefined when the person asked for help and got it. */
export function parseFuzzOptions(argv: readonly string[]): FuzzOptions | undefined {
  const command = new Command('assay fuzz')
    .description('sends bent evidence to a deployment and looks whether it takes it')
    .addArgument(new Argument('[kind]', 'what is bent').choices(KIND_NAMES))
    .requiredOption(
      '--target <file>',
      'target file: what is fuzzed, and how it is started or reached',
    )
    .option('--seed <seed>', 'repeats a campaign: every choice follows from it', readSeed)
    .option('--runs <number>', 'mutants to send', wholeNumber(1, 100_000_000), 2000)
    .option('--seconds <number>', 'ends a campaign after so long', wholeNumber(1, 86_400), 120)
    .option('--rate <number>', 'requests per second at the most', wholeNumber(1, 10_000), 200)
    .option('--replay <file>', 'sends what a finding was made of once more')
    .option('--out <directory>', 'where findings and run directories go', 'reports/out')
    .addHelpText('after', `${kindLines()}\n${REST}`)
  const parsed = parse(command, argv)
  if (parsed === undefined) return undefined
  const [kind] = parsed.args
  return {
    ...parsed.opts<FuzzOptions>(),
    ...(kind === undefined ? {} : { kind: kind as FuzzKind }),
  }
}

import { Argument, Command, InvalidArgumentError } from 'commander'
import { parse, readSeed } from '../../conformance/options/cli-options.ts'
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
Requests go only to the deployment that the target file names. Agents get ids that begin with a55af022, and are deleted
at the end, also after Ctrl-C.

Findings, by severity:
  false pass      invalid evidence was accepted
  lost service    the next valid request is not answered correctly
  server error    HTTP 5xx
  hang            no answer within time.request_within of the target file
  changed answer  the same request was answered in two ways

Exit code: 0 nothing found, 1 findings, 2 could not run.`

/** Options of `assay fuzz` on the wire; undefined if it printed the help. */
export function parseFuzzOptions(argv: readonly string[]): FuzzOptions | undefined {
  const command = new Command('assay fuzz')
    .description('sends mutated evidence to a deployment and checks whether it is accepted')
    .addArgument(new Argument('[kind]', 'what is mutated').choices(KIND_NAMES))
    .requiredOption('--target <file>', 'target file: the deployment to fuzz')
    .option('--seed <seed>', 'repeats a campaign: it determines every random choice', readSeed)
    .option('--runs <number>', 'mutants to send', wholeNumber(1, 100_000_000), 2000)
    .option('--seconds <number>', 'longest duration of a campaign', wholeNumber(1, 86_400), 120)
    .option('--rate <number>', 'most requests per second', wholeNumber(1, 10_000), 200)
    .option('--replay <file>', 'sends the input of a finding again')
    .option('--out <directory>', 'directory for findings and run directories', 'reports/out')
    .addHelpText('after', `${kindLines()}\n${REST}`)
  const parsed = parse(command, argv)
  if (parsed === undefined) return undefined
  const [kind] = parsed.args
  return {
    ...parsed.opts<FuzzOptions>(),
    ...(kind === undefined ? {} : { kind: kind as FuzzKind }),
  }
}

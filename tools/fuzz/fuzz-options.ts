import { Argument, Command, InvalidArgumentError, Option } from 'commander'
import { ownCommand } from '../../conformance/input/own-command.ts'
import { parse, readSeed } from '../../conformance/options/cli-options.ts'
import { FUZZ_KINDS, type FuzzKind, KIND_NAMES } from './kinds.ts'

export interface FuzzOptions {
  /** Absent when a finding is replayed: its file says it. */
  readonly kind?: FuzzKind
  /** The deployment; absent when an evaluator on this machine is fuzzed. */
  readonly target?: string
  /** The evaluator on this machine, as a line for the shell; the reference's unless given. */
  readonly command?: string
  /** Milliseconds that the evaluator has for an answer. */
  readonly deadline: number
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
Without --target the evidence goes to an evaluator on this machine: a process that reads one JSON body of POST verify/evidence per
line, and answers each with one line of JSON, in order: "valid" with "failures" as the endpoint, or "error". The kinds
ekcert and registration need a registrar, and so --target.

With --target requests go only to the deployment that the target file names. Agents get ids that begin with a55af022, and are deleted
at the end, also after Ctrl-C.

Findings, by severity:
  false pass      invalid evidence was accepted
  lost service    the next valid request is not answered correctly
  crash           the process of the evaluator ended
  server error    HTTP 5xx
  hang            no answer within time.request_within of the target file, or --deadline
  memory          the process needed more than 256 MiB and 400 bytes for each byte of the input (Linux)
  changed answer  the same request was answered in two ways

Exit code: 0 nothing found, 1 findings, 2 could not run.`

/** Options of `assay fuzz`; undefined if it printed the help. */
export function parseFuzzOptions(argv: readonly string[]): FuzzOptions | undefined {
  const command = new Command('assay fuzz')
    .description(
      'sends mutated evidence to an evaluator or a deployment, and checks whether it is accepted',
    )
    .addArgument(new Argument('[kind]', 'what is mutated').choices(KIND_NAMES))
    .option('--target <file>', 'target file: the deployment to fuzz')
    .addOption(
      new Option(
        '--command <line>',
        `evaluator on this machine (default: ${ownCommand()} verify-evidence --batch)`,
      ).conflicts('target'),
    )
    .option(
      '--deadline <ms>',
      'longest wait for an answer of the evaluator, and 0.01 ms for each byte',
      wholeNumber(1, 3_600_000),
      1000,
    )
    .option('--seed <seed>', 'repeats a campaign: it determines every random choice', readSeed)
    .option(
      '--runs <number>',
      'mutants to send (default: 2000 with --target, else 20000)',
      wholeNumber(1, 100_000_000),
    )
    .option('--seconds <number>', 'longest duration of a campaign', wholeNumber(1, 86_400), 120)
    .option(
      '--rate <number>',
      'most requests per second to a deployment',
      wholeNumber(1, 10_000),
      200,
    )
    .option('--replay <file>', 'sends the input of a finding again')
    .option('--out <directory>', 'directory for findings and run directories', 'reports/out')
    .addHelpText('after', `${kindLines()}\n${REST}`)
  const parsed = parse(command, argv)
  if (parsed === undefined) return undefined
  const [kind] = parsed.args
  const options = parsed.opts<Omit<FuzzOptions, 'runs'> & { readonly runs?: number }>()
  const { runs = options.target === undefined ? 20_000 : 2000 } = options
  return {
    ...{ ...options, runs },
    ...(kind === undefined ? {} : { kind: kind as FuzzKind }),
  }
}

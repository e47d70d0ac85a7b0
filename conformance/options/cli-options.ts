import { availableParallelism } from 'node:os'
import { Command, CommanderError, Help, InvalidArgumentError, Option } from 'commander'
import { SetupFault } from '../input/fault.ts'
import type { Detail } from '../report/progress.ts'
import { ROLES } from '../report/result.ts'
import type { RecordedTpms, WhichTranscripts } from '../report/transcripts/transcripts.ts'

export interface RunOptions {
  readonly target: string
  readonly seed?: string
  readonly only: readonly string[]
  readonly exclude: readonly string[]
  readonly role: readonly string[]
  readonly version: readonly string[]
  readonly since?: string
  readonly shard?: Shard
  readonly list: boolean
  readonly waivers?: string
  /** A file with expected failures. */
  readonly baseline?: string
  readonly updateBaseline: boolean
  /** A file with a scenario that runs instead of those that Assay ships. */
  readonly scenario?: string
  readonly out: string
  readonly jobs: number
  readonly transcripts: WhichTranscripts
  /** Ends the run after the first failure. */
  readonly bail: boolean
  readonly detail: Detail
  /** More outputs than the reports that every run writes. */
  readonly format: readonly Format[]
  /** The states of TPMs that the scenario of a replay begins with; no option of the command line. */
  readonly recordedTpms?: RecordedTpms
  /** The profile of a certificate, whose scenarios are the whole of the run; no option of the command line. */
  readonly profile?: string
}

const FORMATS = ['github', 'sarif', 'tap', 'allure', 'jsonl'] as const
export type Format = (typeof FORMATS)[number]

/** One part of a run that is divided between machines: part 2 of 3. */
type Shard = readonly [part: number, of: number]

const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value]

function readJobs(text: string): number {
  if (/^[1-9]\d?$/.test(text)) return Number(text)
  throw new InvalidArgumentError('it takes a whole number from 1 to 99.')
}

export function readSeed(text: string): string {
  if (/^[0-9A-Za-z_-]{1,64}$/.test(text)) return text
  throw new InvalidArgumentError('it takes letters, digits, "-" and "_", at most 64.')
}

function readRole(text: string): string {
  if (ROLES.some((role) => role === text)) return text
  throw new InvalidArgumentError(`it takes one of ${ROLES.join(', ')}.`)
}

function readWhich(text: string): WhichTranscripts {
  if (text === 'notable' || text === 'all') return text
  throw new InvalidArgumentError('it takes notable or all.')
}

/** One more value of `--format`. */
export function collectFormat(text: string, before: readonly Format[]): readonly Format[] {
  const format = FORMATS.find((one) => one === text)
  if (format === undefined) throw new InvalidArgumentError(`it takes one of ${FORMATS.join(', ')}.`)
  return [...before, format]
}

function readVersion(text: string): string {
  if (/^\d\.\d$/.test(text)) return text
  throw new InvalidArgumentError('it takes an API version such as 2.5.')
}

function readShard(text: string): Shard {
  const [part = 0, of = 0] = (/^(\d{1,2})\/(\d{1,2})$/.exec(text) ?? []).slice(1).map(Number)
  if (part >= 1 && part <= of) return [part, of]
  throw new InvalidArgumentError('it takes a part and a number of parts such as 2/3.')
}

function addSelection(command: Command): Command {
  return command
    .option(
      '--only <id>',
      "a scenario, prefix* for several, or 'ID#CELL' for one cell of a matrix; can be repeated",
      collect,
      [],
    )
    .option(
      '--exclude <id>',
      'leave out a scenario, or prefix* for several, with the variants of each; can be repeated',
      collect,
      [],
    )
    .option(
      '--role <role>',
      `run only the scenarios of this role: ${ROLES.join(', ')}; can be repeated`,
      (text: string, before: readonly string[]) => collect(readRole(text), before),
      [],
    )
    .option(
      '--version <version>',
      'test only this API version; can be repeated',
      (text: string, before: readonly string[]) => collect(readVersion(text), before),
      [],
    )
    .option('--since <version>', 'test API versions from this one on', readVersion)
    .option(
      '--shard <part/of>',
      'run one of several parts; a passing twin stays with its variants',
      readShard,
    )
}

/** What makes a run red, and what it prints of it. */
function addJudgement(command: Command): Command {
  return command
    .option(
      '--bail',
      'end the run after the first failure, with reports of what had finished',
      false,
    )
    .option('--quiet', 'print failures and the verdict alone', false)
    .option('--verbose', 'print a line for each step of the set-up and for each scenario', false)
    .option('--list', 'print the plan and run nothing', false)
    .option('--waivers <file>', 'file with waived checks, each with reason, link and expiry date')
    .option(
      '--baseline <file>',
      'file with expected failures; any other failure, and an expected one that passes, is red',
    )
    .option('--update-baseline', 'write the failures of this run to the baseline', false)
}

function addOutputs(command: Command): Command {
  return command
    .option('--scenario <file>', 'run only the scenario in this file, as assay explore writes them')
    .option('--out <directory>', 'directory for reports and run directories', 'reports/out')
    .addOption(
      new Option('--jobs <number>', 'scenarios that compute at the same time')
        .argParser(readJobs)
        .default(2 * availableParallelism(), 'two for each core'),
    )
    .option(
      '--transcripts <which>',
      'transcripts to keep: notable (what did not pass; default) or all (default with --only and --scenario)',
      readWhich,
    )
    .option(
      '--format <format>',
      'one more output: github (annotations and job summary), sarif or tap (a file), allure (a directory), jsonl (events, in place of the console report); can be repeated',
      collectFormat,
      [],
    )
}

/** Options of `assay run`; undefined if it printed the help. */
export function parseRunOptions(
  argv: readonly string[],
  defaultTarget: string,
): RunOptions | undefined {
  const command = new Command('assay run')
    .description('runs the scenarios against a target and writes the reports')
    .option('--target <file>', 'target file', defaultTarget)
    .option('--seed <seed>', 'repeats a run: it determines every random choice', readSeed)
  addOutputs(addJudgement(addSelection(command)))
  const options = parse(command, argv)?.opts<ParsedRunOptions>()
  if (options !== undefined) refuseContradictions(options)
  return (
    options && {
      transcripts: defaultTranscripts(options),
      ...options,
      detail: detailOf(options),
    }
  )
}

function refuseContradictions({ format, updateBaseline, baseline, bail }: ParsedRunOptions): void {
  if (updateBaseline && bail)
    throw new SetupFault('--bail leaves failures out that --update-baseline must write', {
      next: 'leave one of them out',
    })
  if (format.includes('jsonl') && format.includes('github'))
    throw new SetupFault('--format jsonl and --format github both write to standard output', {
      next: 'leave one of them out',
    })
  if (updateBaseline && baseline === undefined)
    throw new SetupFault('--update-baseline needs the file to write', {
      next: 'add --baseline FILE',
    })
}

type ParsedRunOptions = Omit<RunOptions, 'transcripts' | 'detail'> & {
  readonly transcripts?: WhichTranscripts
  readonly quiet: boolean
  readonly verbose: boolean
}

function detailOf({ quiet, verbose }: ParsedRunOptions): Detail {
  if (quiet && verbose)
    throw new SetupFault('--quiet leaves out the lines that --verbose prints', {
      next: 'leave one of them out',
    })
  if (quiet) return 'quiet'
  return verbose ? 'every' : 'counts'
}

/** A user who selects scenarios usually wants to read their transcripts. */
function defaultTranscripts({ only, scenario }: ParsedRunOptions): WhichTranscripts {
  return only.length > 0 || scenario !== undefined ? 'all' : 'notable'
}

interface ListOptions {
  readonly only: readonly string[]
  readonly json: boolean
}

export function parseListOptions(argv: readonly string[]): ListOptions | undefined {
  const command = new Command('assay list')
    .description('lists the scenarios with their versions and titles')
    .option('--only <id>', 'a scenario, or prefix* for several; can be repeated', collect, [])
    .option(
      '--json',
      'print JSON, with the requirements of each (reports/schema/list.schema.json)',
      false,
    )
  return parse(command, argv)?.opts()
}

interface CoverageOptions {
  readonly result?: string
  readonly adversarial: boolean
  readonly vulnerabilities: boolean
  readonly matrices: boolean
}

export function parseCoverageOptions(argv: readonly string[]): CoverageOptions | undefined {
  const command = new Command('assay coverage')
    .description('counts the requirements by component, and what a run executed')
    .option('--result <file>', 'result.json of the run (default: the last one in reports/out)')
    .option('--adversarial', 'prints the adversarial cases instead, and what covers each', false)
    .option(
      '--vulnerabilities',
      'prints published weaknesses instead, with the scenarios that detect each',
      false,
    )
    .option(
      '--matrices',
      'prints the sizes of the matrices instead, by component and version',
      false,
    )
  return parse(command, argv)?.opts()
}

export function parseExplainArguments(argv: readonly string[]): string | undefined {
  const command = new Command('assay explain')
    .description('describes a requirement or a scenario')
    .argument('<id>', 'id of a requirement or of a scenario')
  return parse(command, argv)?.args[0]
}

/** The help without the defaults of options that can be repeated and of switches. */
class PlainHelp extends Help {
  override optionDescription(option: Option): string {
    return super.optionDescription(option).replace(/ \(default: (?:\[\]|false)\)$/, '')
  }
}

/** The message of the parser in one sentence, without its full stop. */
function sentenceOf({ message }: CommanderError): string {
  return message
    .replace(/^error: /, '')
    .replace(' is invalid. ', ' is invalid: ')
    .replaceAll(/\.?\n/g, ' ')
    .replace(/\.$/, '')
}

/** Parses the arguments; undefined if it printed the help. Throws a {@link SetupFault} for an option that is wrong. */
export function parse(command: Command, argv: readonly string[]): Command | undefined {
  command
    .exitOverride()
    .allowExcessArguments(false)
    .configureOutput({ writeErr: () => undefined })
  command.createHelp = () => new PlainHelp()
  try {
    return command.parse(argv, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.code === 'commander.helpDisplayed') return undefined
    throw new SetupFault(sentenceOf(error), {
      next: `${command.name()} --help lists the options`,
    })
  }
}

import { availableParallelism } from 'node:os'
import { Command, CommanderError, InvalidArgumentError } from 'commander'
import { ROLES } from './report/result.ts'
import type { WhichTranscripts } from './report/transcripts/transcripts.ts'
import { SetupFault } from './target/fault.ts'

export interface RunOptions {
  readonly target: string
  readonly seed?: string
  readonly only: readonly string[]
  readonly role: readonly string[]
  readonly version: readonly string[]
  readonly since?: string
  readonly shard?: Shard
  readonly slow: boolean
  readonly list: boolean
  readonly waivers?: string
  /** A file with a scenario, which is run in place of those that Assay has. */
  readonly scenario?: string
  readonly out: string
  readonly jobs: number
  readonly transcripts: WhichTranscripts
}

/** One of several parts of a run, on several machines: part 2 of 3. */
export type Shard = readonly [part: number, of: number]

const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value]

function readJobs(text: string): number {
  if (/^[1-9]\d?$/.test(text)) return Number(text)
  throw new InvalidArgumentError('it takes a whole number from 1 to 99.')
}

export function readSeed(text: string): string {
  if (/^[0-9A-Za-z_-]{1,64}$/.test(text)) return text
  throw new InvalidArgumentError('it takes letters, digits, "-" and "_", 64 at the most.')
}

function readRole(text: string): string {
  if (ROLES.some((role) => role === text)) return text
  throw new InvalidArgumentError(`it takes one of ${ROLES.join(', ')}.`)
}

function readWhich(text: string): WhichTranscripts {
  if (text === 'notable' || text === 'all') return text
  throw new InvalidArgumentError('it takes notable or all.')
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
    .option(
      '--role <role>',
      `judge this role only: ${ROLES.join(', ')}; may be given again`,
      (text: string, before: readonly string[]) => collect(readRole(text), before),
      [],
    )
    .option(
      '--version <version>',
      'judge this API version only; may be given again',
      (text: string, before: readonly string[]) => collect(readVersion(text), before),
      [],
    )
    .option('--since <version>', 'judge API versions from this one on', readVersion)
    .option('--shard <part/of>', 'run one of several parts, twins together', readShard)
    .option('--slow', 'run scenarios that wait for real time to pass', false)
    .option('--list', 'say what would be run, and run nothing', false)
    .option('--waivers <file>', 'checks that are excused, each with reason, link and expiry')
    .option(
      '--scenario <file>',
      'run the scenario of this file alone, as assay explore writes them',
    )
    .option('--out <directory>', 'where reports and run directories go', 'reports/out')
    .option(
      '--jobs <number>',
      'scenarios that compute at the same time; two for each processor unless told',
      readJobs,
      2 * availableParallelism(),
    )
    .option(
      '--transcripts <which>',
      'transcripts to keep: notable (what did not pass; default) or all (default with --only and --scenario)',
      readWhich,
    )
  const options = parse(command, argv)?.opts<ParsedRunOptions>()
  return options && { transcripts: defaultTranscripts(options), ...options }
}

type ParsedRunOptions = Omit<RunOptions, 'transcripts'> & {
  readonly transcripts?: WhichTranscripts
}

/** A user who selects scenarios usually wants to read their transcripts. */
function defaultTranscripts({ only, scenario }: ParsedRunOptions): WhichTranscripts {
  return only.length > 0 || scenario !== undefined ? 'all' : 'notable'
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

export interface CoverageOptions {
  readonly result?: string
  readonly adversarial: boolean
  readonly vulnerabilities: boolean
  readonly matrices: boolean
}

export function parseCoverageOptions(argv: readonly string[]): CoverageOptions | undefined {
  const command = new Command('assay coverage')
    .description('prints requirement rows by component, and what a run executed of them')
    .option('--result <file>', 'result.json of the run; the last one in reports/out unless told')
    .option(
      '--adversarial',
      'prints the adversarial cases instead, with what stands for each',
      false,
    )
    .option(
      '--vulnerabilities',
      'prints published weaknesses instead, with the scenarios that would find each',
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
    .description('says what a requirement or a scenario is about')
    .argument('<id>', 'id of a requirement or of a scenario')
  return parse(command, argv)?.args[0]
}

export function parse(command: Command, argv: readonly string[]): Command | undefined {
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
      next: `${command.name()} --help lists the options`,
    })
  }
}

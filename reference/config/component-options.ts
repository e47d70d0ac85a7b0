import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { StartFault } from '../errors.ts'
import { type Component, settingsOf } from './config.ts'

/** The command line of a component. */
export interface Options {
  readonly config?: string
  readonly set: readonly string[]
  /** Seconds. */
  readonly waitForCa: number
}

interface Given extends Options {
  readonly database?: string
}

/** How a component is started, and what its help calls it. */
interface Naming {
  readonly verb: string
  readonly what: string
}

/** The options of a component that is started as `assay <verb>`, or undefined after printing the help. */
export function parseOptions(
  name: Component,
  argv: readonly string[],
  { verb, what }: Naming = { verb: name, what: name },
): Options | undefined {
  const command = new Command(`assay ${verb}`)
    .description(`runs the reference ${what}`)
    .option('--config <file>', 'INI file with a section per component')
    .addOption(
      new Option('--set <name=value>', 'one setting, over the file')
        .argParser(collect)
        .default([], 'none'),
    )
    .addHelpText('after', () => settingsText(name))
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
  if (name !== 'verifier')
    command.option('--wait-for-ca <seconds>', 'wait for the CA of the verifier', readSeconds, 30)
  if (Object.hasOwn(settingsOf(name), 'database'))
    command.option('--database <place>', 'a SQLite file, or postgres://USER@HOST:PORT/NAME')
  try {
    const { database, set, ...options } = command.parse(argv, { from: 'user' }).opts<Given>()
    return { ...options, set: database === undefined ? set : [...set, `database=${database}`] }
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.code === 'commander.helpDisplayed') return undefined
    throw new StartFault(
      error.message.replace(/^error: /, '').replace('\n', ' '),
      `assay ${verb} --help lists the options`,
    )
  }
}

/** The settings that `--set` takes, one a line. */
function settingsText(name: Component): string {
  const rows = Object.entries(settingsOf(name))
  const width = Math.max(...rows.map(([setting]) => setting.length))
  const lines = rows.map(([setting, { about, fallback }]) => {
    const said = typeof fallback === 'object' ? fallback.join(',') : String(fallback)
    return `  ${setting.padEnd(width)}  ${about}${said === '' ? '' : ` (${said})`}`
  })
  return ['', 'Settings:', ...lines].join('\n')
}

function readSeconds(text: string): number {
  if (/^\d{1,5}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('it takes a whole number of seconds.')
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value]
}

/** Resolves on SIGINT or SIGTERM. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
      process.once(signal, () => resolve())
  })
}

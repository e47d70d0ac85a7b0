import { Command, CommanderError } from 'commander'
import { SetupFault } from '../input/fault.ts'

export interface DoctorOptions {
  readonly target: string
  readonly out: string
  readonly json?: true
}

export interface InitOptions {
  readonly out: string
  readonly verifier?: string
  readonly registrar?: string
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
  readonly name?: string
  readonly force?: true
  readonly testSystem?: true
}

function parse<T extends object>(command: Command, argv: readonly string[]): T | undefined {
  command
    .exitOverride()
    .allowExcessArguments(false)
    .configureOutput({ writeErr: () => undefined })
  try {
    return command.parse(argv, { from: 'user' }).opts<T>()
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.code === 'commander.helpDisplayed') return undefined
    throw new SetupFault(error.message.replace(/^error: /, ''), {
      next: `${command.name()} --help lists the options`,
    })
  }
}

/** Options of `assay doctor`; undefined if it printed the help. */
export function parseDoctorOptions(argv: readonly string[]): DoctorOptions | undefined {
  const command = new Command('assay doctor')
    .description('checks the set-up of a deployment, without a scenario')
    .option('--target <file>', 'target file', 'assay.target.yaml')
    .option('--out <directory>', 'directory for run directories', 'reports/out')
    .option('--json', 'prints the report as JSON')
  return parse<DoctorOptions>(command, argv)
}

/** Options of `assay init`; undefined if it printed the help. */
export function parseInitOptions(argv: readonly string[]): InitOptions | undefined {
  const command = new Command('assay init')
    .description('probes a deployment and writes a target file for it')
    .option('--verifier <url>', 'https URL of the verifier')
    .option('--registrar <url>', 'https URL of the registrar')
    .option('--ca <file>', 'PEM file with the CA of the server certificates')
    .option('--cert <file>', "PEM file with an administrator's client certificate")
    .option('--key <file>', 'PEM file with the key of that certificate')
    .option('--name <text>', 'name of the deployment in reports')
    .option('--out <file>', 'the file to write', 'assay.target.yaml')
    .option('--force', 'overwrites an existing file')
    .option('--test-system', 'confirms that another machine may receive hostile requests')
  return parse<InitOptions>(command, argv)
}

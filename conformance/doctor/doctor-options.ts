import { Command } from 'commander'
import { parse } from '../options/cli-options.ts'
import { defaultTarget } from '../options/default-target.ts'

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
  readonly configDir?: string
  readonly force?: true
  readonly testSystem?: true
}

/** Options of `assay doctor`; undefined if it printed the help. */
export function parseDoctorOptions(argv: readonly string[]): DoctorOptions | undefined {
  const command = new Command('assay doctor')
    .description('checks the set-up of a deployment, without a scenario')
    .option('--target <file>', 'target file', defaultTarget())
    .option('--out <directory>', 'directory for run directories', 'reports/out')
    .option('--json', 'prints the report as JSON')
  return parse(command, argv)?.opts<DoctorOptions>()
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
    .option(
      '--config-dir <directory>',
      'reads what is not given from the configuration of Keylime there; without a URL that of this machine is looked for',
    )
    .option('--out <file>', 'the file to write', 'assay.target.yaml')
    .option('--force', 'overwrites an existing file')
    .option('--test-system', 'confirms that another machine may receive hostile requests')
  return parse(command, argv)?.opts<InitOptions>()
}

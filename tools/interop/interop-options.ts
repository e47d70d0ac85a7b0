import { Command } from 'commander'

export interface InteropOptions {
  readonly only: readonly string[]
  /** Patterns of the suite's scenarios; all scenarios if the list is empty. */
  readonly scenario: readonly string[]
  readonly out: string
}

function also(value: string, all: readonly string[]): readonly string[] {
  return [...all, value]
}

/** Parses the command line; exits the process for `--help` and for an unknown option. */
export function parseInteropOptions(argv: readonly string[]): InteropOptions {
  return new Command('npm run interop --')
    .description(
      'tests our agents, servers, tenant and suite with those of Keylime on this machine',
    )
    .option('--only <id>', 'run only this test; can be repeated', also, [])
    .option(
      '--scenario <pattern>',
      'run only these scenarios of the suite; can be repeated',
      also,
      [],
    )
    .option('--out <directory>', 'directory for logs and reports', 'reports/out/interop')
    .parse(argv, { from: 'user' })
    .opts<InteropOptions>()
}

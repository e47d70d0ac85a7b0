import { Command } from 'commander'

export interface InteropOptions {
  readonly only: readonly string[]
  /** Patterns of the scenarios that the suite is held to; all when there is none. */
  readonly scenario: readonly string[]
  readonly out: string
}

function also(value: string, all: readonly string[]): readonly string[] {
  return [...all, value]
}

/** Reads the command line; ends the process for `--help` and for an unknown option. */
export function parseInteropOptions(argv: readonly string[]): InteropOptions {
  return new Command('npm run interop --')
    .description('runs each part with its counterpart of another implementation, on this machine')
    .option('--only <meeting>', 'only this one; can be repeated', also, [])
    .option('--scenario <pattern>', 'only these scenarios of the suite; can be repeated', also, [])
    .option('--out <directory>', 'directory for logs and reports', 'reports/out/interop')
    .parse(argv, { from: 'user' })
    .opts<InteropOptions>()
}

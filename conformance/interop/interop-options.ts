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

/** Reads the command line; ends the process for `--help` and for what it does not know. */
export function parseInteropOptions(argv: readonly string[]): InteropOptions {
  return new Command('npm run interop --')
    .description('has each part meet its counterpart of another implementation, on this machine')
    .option('--only <meeting>', 'this one; may be given again', also, [])
    .option('--scenario <pattern>', 'of the suite these alone; may be given again', also, [])
    .option('--out <directory>', 'where logs and reports go', 'reports/out/interop')
    .parse(argv, { from: 'user' })
    .opts<InteropOptions>()
}

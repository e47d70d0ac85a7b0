import { Command } from 'commander'
import { parse } from '../../conformance/options/cli-options.ts'
import { defaultTarget } from '../../conformance/options/default-target.ts'
import { wholeUpTo } from '../load/load-options.ts'

export interface UpOptions {
  readonly target: string
  /** Number of machines with a pull agent; default 1 if the target file has a command for it, otherwise 0. */
  readonly pull?: number
  readonly push?: number
  /** Directory of a kept playground; continued if it contains one. */
  readonly keep?: string
  /** Commands that run first. */
  readonly do?: string
}

/** Maximum number of machines of each kind, so that the table fits a terminal. */
const MOST = 20

/** Options of `assay up`; undefined if it printed the help. */
export function parseUpOptions(argv: readonly string[]): UpOptions | undefined {
  const command = new Command('assay up')
    .description(
      'starts a registrar, a verifier and virtual machines with agents, and reads commands that change them (type help for the list)',
    )
    .option(
      '--target <file>',
      'target file that starts servers and agents',
      defaultTarget('playground'),
    )
    .option('--pull <number>', 'number of machines with a pull agent', wholeUpTo(MOST))
    .option('--push <number>', 'number of machines with a push agent', wholeUpTo(MOST))
    .option(
      '--keep <directory>',
      'keep the playground in this directory, or continue the one it contains; without this option everything is removed at the end',
    )
    .option(
      '--do <commands>',
      'commands to run first, separated by semicolons; without a terminal, the playground then ends',
    )
  return parse(command, argv)?.opts<UpOptions>()
}

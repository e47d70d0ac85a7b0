import { Command } from 'commander'
import { parse } from '../../conformance/options/cli-options.ts'
import { wholeUpTo } from '../load/load-options.ts'

export interface UpOptions {
  readonly target: string
  /** Machines with a pull agent; undefined takes one, when the target file says how it is started. */
  readonly pull?: number
  readonly push?: number
  /** Where everything stays that would be removed at the end, and is gone on with when it is there. */
  readonly keep?: string
  /** Commands that are carried out first. */
  readonly do?: string
}

/** Machines of a kind: more than a table shows are no playground. */
const MOST = 20

/** Options of `assay up`; undefined when the person asked for help and got it. */
export function parseUpOptions(argv: readonly string[]): UpOptions | undefined {
  const command = new Command('assay up')
    .description(
      'starts a registrar, a verifier and virtual machines with agents, and a prompt that changes them',
    )
    .requiredOption('--target <file>', 'target file that starts all of them')
    .option('--pull <number>', 'machines with a pull agent', wholeUpTo(MOST))
    .option('--push <number>', 'machines with a push agent', wholeUpTo(MOST))
    .option(
      '--keep <directory>',
      'keep everything there, and go on with it when it is there; without, nothing is left',
    )
    .option(
      '--do <commands>',
      'commands to carry out, by semicolons; then it ends, but at a terminal',
    )
  return parse(command, argv)?.opts<UpOptions>()
}

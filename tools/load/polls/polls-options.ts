import { Command } from 'commander'
import { parse } from '../../../conformance/options/cli-options.ts'
import { wholeUpTo } from '../load-options.ts'

export interface PollsOptions {
  readonly target: string
  readonly agents: number
  readonly seconds: number
}

/** Enough for the promise that is measured, too little to be a weapon. */
const MOST = { agents: 2000, seconds: 600 } as const

/** Options of `assay load polls`; undefined when the person asked for help and got it. */
export function parsePollsOptions(argv: readonly string[]): PollsOptions | undefined {
  const command = new Command('assay load polls')
    .description(
      'has the verifier of a target file poll pull agents on this machine, and counts polls, their cost and its memory',
    )
    .requiredOption('--target <file>', 'target file that starts a verifier on this machine')
    .option('--agents <number>', 'pull agents', wholeUpTo(MOST.agents), 1000)
    .option('--seconds <number>', 'how long it is watched', wholeUpTo(MOST.seconds), 60)
  return parse(command, argv)?.opts<PollsOptions>()
}

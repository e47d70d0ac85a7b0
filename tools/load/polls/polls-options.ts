import { Command } from 'commander'
import { parse } from '../../../conformance/options/cli-options.ts'
import { defaultTarget } from '../../../conformance/options/default-target.ts'
import { wholeUpTo } from '../load-options.ts'

export interface PollsOptions {
  readonly target: string
  readonly agents: number
  readonly seconds: number
}

/** Upper limits: high enough for the requirement that is measured, too low for a denial of service. */
const MOST = { agents: 2000, seconds: 600 } as const

/** Options of `assay load polls`; undefined if it printed the help. */
export function parsePollsOptions(argv: readonly string[]): PollsOptions | undefined {
  const command = new Command('assay load polls')
    .description(
      'lets the verifier of a target file poll pull agents on this machine, and measures polls, CPU time and memory',
    )
    .option(
      '--target <file>',
      'target file that starts a verifier on this machine',
      defaultTarget(),
    )
    .option('--agents <number>', 'number of pull agents', wholeUpTo(MOST.agents), 1000)
    .option('--seconds <number>', 'duration of the measurement', wholeUpTo(MOST.seconds), 60)
  return parse(command, argv)?.opts<PollsOptions>()
}

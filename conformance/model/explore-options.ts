import { Command, InvalidArgumentError, Option } from 'commander'
import { parse, readSeed } from '../cli-options.ts'
import { STORY_ROLES, type StoryRole } from './tellings.ts'

export interface ExploreOptions {
  readonly target: string
  readonly role: StoryRole
  readonly seed?: string
  readonly runs: number
  readonly steps: number
  readonly seconds: number
  readonly out: string
}

function wholeNumber(least: number, most: number) {
  return (text: string): number => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= least && value <= most) return value
    throw new InvalidArgumentError(`it takes a whole number from ${least} to ${most}.`)
  }
}

const REST = `
A story is one agent's life with the verifier: it is added, logs in, attests, runs what it must not, reboots, falls
silent, is reactivated; the verifier is restarted where Assay started it or the target file has a hook restart, and its
clock moves where there is a hook advance_clock. After each step the verifier must show what the interface document
says. Of a push agent the stories are what its verifier answers, restarts, and what happens to its machine; they take real
time, so that a few short ones are enough: --runs 5 --steps 8. A story that does not end as it should is made as short as it gets, told once more, and written as a scenario.

Exit code: 0 every story held, 1 one did not, 2 could not run.`

/** Options of `assay explore`; undefined when the person asked for help and got it. */
export function parseExploreOptions(
  argv: readonly string[],
  defaultTarget: string,
): ExploreOptions | undefined {
  const command = new Command('assay explore')
    .description('tells a verifier stories of an agent, and looks for one that it gets wrong')
    .option('--target <file>', 'target file: who is judged, and how it is started', defaultTarget)
    .addOption(
      new Option('--role <role>', 'whom the stories are about')
        .choices(STORY_ROLES)
        .default('verifier'),
    )
    .option('--seed <seed>', 'repeats an exploration: every story follows from it', readSeed)
    .option('--runs <number>', 'stories to tell', wholeNumber(1, 1_000_000), 100)
    .option('--steps <number>', 'steps of a story, at the most', wholeNumber(1, 500), 60)
    .option('--seconds <number>', 'ends an exploration after so long', wholeNumber(1, 86_400), 120)
    .option('--out <directory>', 'where scenarios and run directories go', 'reports/out')
    .addHelpText('after', REST)
  return parse(command, argv)?.opts<ExploreOptions>()
}

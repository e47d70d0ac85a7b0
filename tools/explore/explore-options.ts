import { Command, InvalidArgumentError, Option } from 'commander'
import { MODEL_ROLES, type ModelRole } from '../../conformance/model/models.ts'
import { parse, readSeed } from '../../conformance/options/cli-options.ts'

export interface ExploreOptions {
  readonly target: string
  readonly role: ModelRole
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
    throw new InvalidArgumentError(`expected a whole number from ${least} to ${most}.`)
  }
}

const REST = `
Events for a verifier: an agent is enrolled, opens a session, attests, runs a file that its policy does not allow, reboots,
stops sending, is reactivated. The verifier restarts if Assay started it or the target file has a hook restart; its clock moves
if there is a hook advance_clock. After each event the harness compares the verifier with the model.
Events for a push agent: responses of its verifier, restarts, and changes of its machine. They take real time: use few and short
sequences, --runs 5 --steps 8. A sequence with a deviation is minimized, run again, and written as a scenario.

Exit code: 0 the subject agreed with the model, 1 it deviated, 2 could not run.`

/** Options of `assay explore`; undefined if it printed the help. */
export function parseExploreOptions(
  argv: readonly string[],
  defaultTarget: string,
): ExploreOptions | undefined {
  const command = new Command('assay explore')
    .description(
      'model-based testing: runs random sequences of events against a verifier or a push agent',
    )
    .option('--target <file>', 'target file: the subject, and how it is started', defaultTarget)
    .addOption(new Option('--role <role>', 'the subject').choices(MODEL_ROLES).default('verifier'))
    .option('--seed <seed>', 'seed of the random sequences, to repeat an exploration', readSeed)
    .option('--runs <number>', 'number of sequences', wholeNumber(1, 1_000_000), 100)
    .option('--steps <number>', 'maximum number of steps in a sequence', wholeNumber(1, 500), 60)
    .option('--seconds <number>', 'time limit in seconds', wholeNumber(1, 86_400), 120)
    .option('--out <directory>', 'directory for scenarios and run directories', 'reports/out')
    .addHelpText('after', REST)
  return parse(command, argv)?.opts<ExploreOptions>()
}

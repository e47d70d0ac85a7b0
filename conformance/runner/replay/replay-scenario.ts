import { capture } from '../../attempt/capture.ts'
import { CallReplay } from '../../recording/replay-calls.ts'
import type { CheckResult } from '../../report/result.ts'
import type { Context } from '../../scenario.ts'
import { reportingMembers } from '../make-context.ts'
import type { RecordedScenario, RunEnvironment } from '../run-environment.ts'

/** What the checks of a scenario say of a recording, and what ended the scenario early. */
type Replayed = Pick<RecordedScenario, 'checks' | 'thrown'>

/**
 * Repeats the checks of a scenario over what it received when it was recorded, without a target. A scenario that did not
 * end itself, for example because its time limit passed, ends as it did then.
 *
 * @returns as `thrown` a `RecordingDiffers` if the scenario does something else than in the recording
 */
export async function replayScenario(
  environment: Pick<RunEnvironment, 'rows' | 'dialect'>,
  { trial, calls, thrown }: RecordedScenario,
): Promise<Replayed> {
  const checks: CheckResult[] = []
  const members = reportingMembers(environment, trial, {
    record: (check) => checks.push(check),
    observations: [],
    transcript: { entries: [], lastExchange: () => -1, note: () => undefined },
  })
  const live = { ...members, cleanUp: () => undefined }
  const replay = new CallReplay(calls)
  const ended = new AbortController()
  const running = capture(() =>
    replay.run<Context, Promise<void>>(live, (context) => trial.scenario.run(context)),
  ).finally(() => ended.abort())
  const differs = await capture(() => replay.fulfil(ended.signal))
  if (differs !== undefined) return { checks, thrown: differs }
  return { checks, thrown: ended.signal.aborted ? await running : thrown }
}

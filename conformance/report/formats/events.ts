import type { OutputStream } from '../console/live-lines.ts'
import type { Progress } from '../progress.ts'

/** The version of the events. */
const SCHEMA = 'assay.events/1'

/**
 * One JSON text per line, written when it happens: `run-started`, `setup`, `scenario-finished`, and at the end
 * `run-finished` or `run-failed`. Node writes to files and to pipes without buffering, except on Windows.
 */
export const createEvents = (
  stream: OutputStream,
  now: () => Date = () => new Date(),
): Progress => {
  const emit = (event: string, members: Readonly<Record<string, unknown>>): void => {
    stream.write(`${JSON.stringify({ event, at: now().toISOString(), ...members })}\n`)
  }
  return {
    started: (facts) => emit('run-started', { schema: SCHEMA, ...facts }),
    began: () => undefined,
    interrupted: () => undefined,
    setup: (step) => emit('setup', { step }),
    finished: (scenario) => emit('scenario-finished', { scenario }),
    closing: ({ verdict, exit_code, totals, ended_early, complaints, scope, seed }, paths) =>
      emit('run-finished', {
        ...{ verdict, exit_code, totals, complaints, scope, seed },
        ...(ended_early === undefined ? {} : { ended_early }),
        reports: paths,
      }),
    failed: (error) => emit('run-failed', { says: error.message }),
  }
}

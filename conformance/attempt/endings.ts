import type { FailedStep } from '../report/result.ts'
import { stepSentence } from '../report/sentences.ts'

/**
 * Errors that end a scenario early. The runner maps each to one outcome; any other error is a fault
 * of the harness.
 */

class ScenarioEnd extends Error {}

/** A prerequisite step failed. The scenario fails; it is never skipped. */
export class PrerequisiteFailed extends ScenarioEnd {
  /** Undefined if the reason is only a sentence, because the document requires nothing of that step. */
  readonly step: FailedStep | undefined

  constructor(reason: FailedStep | string) {
    super(typeof reason === 'string' ? reason : stepSentence(reason))
    this.step = typeof reason === 'string' ? undefined : reason
  }
}

/** The case cannot occur with this subject; the message is the reason in the report. */
export class NotApplicable extends ScenarioEnd {}

/** The scenario's time limit passed while it waited for the subject. */
export class DeadlinePassed extends ScenarioEnd {}

/** The harness missed the moment it wanted to observe. Nothing is known about the subject, so the scenario is retried. */
export class Overslept extends ScenarioEnd {}

/** The run ends before the scenario: the user interrupted it, or the subject died. */
export class Interrupted extends ScenarioEnd {}

/** Keeps the process alive when a step of a scenario that has ended fails without a listener. */
export function surviveLateEnds(): void {
  if (!process.listeners('unhandledRejection').includes(ignoreLateEnd))
    process.on('unhandledRejection', ignoreLateEnd)
}

/**
 * A listener for `unhandledRejection`: a scenario may end while another of its steps still runs, and what ends that step
 * then is of no use to anyone. Throws every other error.
 */
export function ignoreLateEnd(reason: unknown): void {
  if (!(reason instanceof ScenarioEnd)) throw reason
}

import type { FailedStep } from '../report/result.ts'
import { stepSentence } from '../report/sentences.ts'

/**
 * Errors that end a scenario early. The runner maps each to one outcome; any other error is a fault
 * of the harness.
 */

/** A prerequisite step failed. The scenario fails; it is never skipped. */
export class PrerequisiteFailed extends Error {
  /** Undefined if the reason is only a sentence, because the document requires nothing of that step. */
  readonly step: FailedStep | undefined

  constructor(reason: FailedStep | string) {
    super(typeof reason === 'string' ? reason : stepSentence(reason))
    this.step = typeof reason === 'string' ? undefined : reason
  }
}

/** The case cannot occur with this subject; the message is the reason in the report. */
export class NotApplicable extends Error {}

/** The scenario's time limit passed while it waited for the subject. */
export class DeadlinePassed extends Error {}

/** The harness missed the moment it wanted to observe. Nothing is known about the subject, so the scenario is retried. */
export class Overslept extends Error {}

/** The run ends before the scenario: the user interrupted it, or the subject died. */
export class Interrupted extends Error {}

/**
 * Errors that end a scenario early. The runner maps each to one outcome; any other error is a fault
 * of the harness.
 */

/** A prerequisite step failed. The scenario fails; it is never skipped. */
export class PrerequisiteFailed extends Error {}

/** The case cannot occur with this subject; the message is the reason in the report. */
export class NotApplicable extends Error {}

/** The scenario's time limit passed while it waited for the subject. */
export class DeadlinePassed extends Error {}

/** The harness missed the moment it wanted to observe. Nothing is known about the subject, so the scenario is retried. */
export class Overslept extends Error {}

/** The user interrupted the run. */
export class Interrupted extends Error {}

/**
 * The ways in which a scenario stops before its end. Each becomes one outcome; anything else that is
 * thrown is a fault of the harness.
 */

/** A step that the scenario stands on did not succeed: that is a failure, never a skip. */
export class PrerequisiteFailed extends Error {}

/** The case cannot arise with this subject; the reason is shown. */
export class NotApplicable extends Error {}

/** The scenario's time is over while it waited for the subject. */
export class DeadlinePassed extends Error {}

/** The harness itself came too late for what it wanted to see: nothing is known of the subject, and it is tried anew. */
export class Overslept extends Error {}

/** The person ended the run. */
export class Interrupted extends Error {}

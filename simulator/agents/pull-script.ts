import { ANSWER_MISBEHAVIOURS } from './answer-misbehaviours.ts'
import { CONNECTION_MISBEHAVIOURS } from './connection-misbehaviours.ts'
import {
  LIST_MISBEHAVIOURS,
  MACHINE_MISBEHAVIOURS,
  VERSION_MISBEHAVIOURS,
} from './list-misbehaviours.ts'
import type { Misbehaviour } from './misbehaviour.ts'
import { QUOTE_MISBEHAVIOURS } from './quote-misbehaviours.ts'

const ALL = {
  ...CONNECTION_MISBEHAVIOURS,
  ...ANSWER_MISBEHAVIOURS,
  ...QUOTE_MISBEHAVIOURS,
  ...LIST_MISBEHAVIOURS,
  ...MACHINE_MISBEHAVIOURS,
  ...VERSION_MISBEHAVIOURS,
}

export type MisbehaviourName = keyof typeof ALL

/** Every misbehaviour by its name. */
export const MISBEHAVIOURS: Readonly<Record<MisbehaviourName, Misbehaviour>> = ALL

/**
 * Polls at which an agent misbehaves, counted from 1; permanently if there is no end. A poll is a request for an
 * integrity quote, or a connection that is disturbed before one.
 */
export interface ScriptRow {
  readonly does: MisbehaviourName
  readonly from: number
  readonly to?: number
}

export type PullScript = readonly ScriptRow[]

/** Returns the first row that covers a poll. */
export function rowAt(script: PullScript, poll: number): ScriptRow | undefined {
  return script.find(({ from, to = Number.POSITIVE_INFINITY }) => from <= poll && poll <= to)
}

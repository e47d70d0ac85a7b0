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
 * When an agent misbehaves: at the polls from one to another, counted from 1; for good without an end. A poll is a
 * request for an integrity quote, or a connection that is spoiled before there can be one.
 */
export interface ScriptRow {
  readonly does: MisbehaviourName
  readonly from: number
  readonly to?: number
}

export type PullScript = readonly ScriptRow[]

/** The row that rules a poll; the first one that names it. */
export function rowAt(script: PullScript, poll: number): ScriptRow | undefined {
  return script.find(({ from, to = Number.POSITIVE_INFINITY }) => from <= poll && poll <= to)
}

/** How an agent misbehaves at a poll; undefined when it does not. */
export function misbehaviourAt(script: PullScript, poll: number): Misbehaviour | undefined {
  const row = rowAt(script, poll)
  return row && MISBEHAVIOURS[row.does]
}

import { join } from 'node:path'
import { packageRoot } from '../../../conformance/input/package-root.ts'
import { readYaml } from '../../../conformance/input/read-yaml.ts'

/** Answers to a request for an attestation; `transitions.yaml` defines the words. */
export const ANSWERS = [
  'begun',
  'begun-or-stopped',
  'taken',
  'refused',
  'second',
  'shown',
  'absent',
] as const
export type AnswerName = (typeof ANSWERS)[number]

export const EVENTS = [
  'capabilities',
  'capabilities without an offer',
  'evidence to latest',
  'evidence to the index',
  'evidence to the next index',
  'evidence without items',
  'evidence of another type',
  'read of latest',
  'read of the index',
  'read of the next index',
  'list',
] as const
export type EventName = (typeof EVENTS)[number]

export const STATES = [
  'nothing',
  'awaiting',
  'superseded',
  'passed',
  'failed',
  'judged before another',
] as const
export type StateName = (typeof STATES)[number]

/** What a read shows in a state; without a stage there is nothing to read. */
export interface StateRow {
  readonly id: StateName
  readonly stage?: string
  readonly evaluation?: string
}

export interface TransitionCell {
  readonly id: string
  readonly state: StateRow
  readonly event: EventName
  readonly answer: AnswerName
  readonly requirement: string
}

interface TransitionFile {
  readonly states: readonly StateRow[]
  readonly cells: Readonly<Record<StateName, Readonly<Partial<Record<EventName, string>>>>>
}

const FILE = join(packageRoot(), 'conformance', 'catalogue', 'matrices', 'transitions.yaml')

/** Loads every cell of the table, state by state. */
export function loadTransitions(): readonly TransitionCell[] {
  const { states, cells } = readYaml(FILE) as TransitionFile
  return states.flatMap((state) =>
    EVENTS.flatMap((event) => {
      const words = cells[state.id][event]
      if (words === undefined) return []
      const [answer, requirement = ''] = words.split(' ')
      return [
        { id: `${state.id}: ${event}`, state, event, answer: answer as AnswerName, requirement },
      ]
    }),
  )
}

import { join } from 'node:path'
import { packageRoot } from '../../../conformance/input/package-root.ts'
import { readYaml } from '../../../conformance/input/read-yaml.ts'
import type { BehaviourName } from '../../../simulator/services/verifier-behaviours.ts'

/** Requests that may follow an answer; `push-agent.yaml` defines the words. */
const NEXT = ['again', 'anew', 'session', 'goes-on', 'rests', 'open'] as const
export type Next = (typeof NEXT)[number]

const COLUMNS = ['register', 'activate', 'session', 'proof', 'capabilities', 'evidence'] as const
export type Column = (typeof COLUMNS)[number]

export const REPLY_GROUPS = ['refusals', 'faults', 'bodies', 'others'] as const
export type ReplyGroup = (typeof REPLY_GROUPS)[number]

interface GroupRows {
  readonly for: string
  readonly rows: Readonly<Record<string, Readonly<Partial<Record<Column, Next>>>>>
}

/** One answer to one step. */
export interface ReplyCell {
  readonly does: BehaviourName
  readonly on: Column
  readonly next: Next
  readonly for: string
}

const FILE = join(packageRoot(), 'conformance', 'catalogue', 'matrices', 'push-agent.yaml')

/** Loads every cell of the table, by group. */
export function loadReplies(): Readonly<Record<ReplyGroup, readonly ReplyCell[]>> {
  const { groups } = readYaml(FILE) as { readonly groups: Readonly<Record<ReplyGroup, GroupRows>> }
  const cells = Object.entries(groups).map(([name, group]) => [name, cellsOf(group)])
  return Object.fromEntries(cells)
}

/** The cells of a group. Those that may end a phase come last: an agent would not meet the others of it. */
function cellsOf({ rows, for: requirement }: GroupRows): readonly ReplyCell[] {
  const cells = Object.entries(rows).flatMap(([does, columns]) =>
    COLUMNS.flatMap((on) => {
      const next = columns[on]
      return next ? [{ does: does as BehaviourName, on, next, for: requirement }] : []
    }),
  )
  return cells.toSorted((one, other) => Number(endsPhase(one)) - Number(endsPhase(other)))
}

export function isRegistration(on: Column): boolean {
  return on === 'register' || on === 'activate'
}

/** Whether an answer may end the phase: an agent that is registered, or has a token, does not return to its steps. */
export function endsPhase({ on, next }: Pick<ReplyCell, 'on' | 'next'>): boolean {
  const isBeforeToken = isRegistration(on) || on === 'session' || on === 'proof'
  return isBeforeToken && (next === 'goes-on' || next === 'open')
}

export const nameOfCell = ({ does, on }: ReplyCell): string => `${on} ${does}`

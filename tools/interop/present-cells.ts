import Table from 'cli-table3'
import { presentDuration } from '../../conformance/input/duration.ts'
import { CLASSES, type Counts, presentCounts } from './counts.ts'
import type { Met, Outcome } from './meet.ts'

const WORDS = { agree: 'agree', differ: 'DIFFER', fault: 'no meeting' } as const

function presentSaw(saw: string | Counts): string {
  return typeof saw === 'string' ? saw : presentCounts(saw)
}

function detailOf(outcome: Outcome): string {
  if (outcome.kind === 'agree') return presentSaw(outcome.saw)
  if (outcome.kind === 'fault') return outcome.why
  const { what, expected, received } = outcome.disagreement
  return `${what}: expected ${expected}, received ${received}`
}

/** One meeting as it ends: a line. */
export function presentMet({ cell, outcome, ms }: Met): string {
  const time = presentDuration(Math.round(ms))
  return `  ${cell.id}  ${WORDS[outcome.kind]}  ${time}\n    ${detailOf(outcome)}`
}

/** All of them, and whether they agree: no times, so that two runs print the same. */
export function presentCells(all: readonly Met[]): string {
  const table = new Table({
    head: ['meeting', 'outcome', 'what was to be seen'],
    style: { head: [], border: [] },
  })
  for (const { cell, outcome } of all) table.push([cell.id, WORDS[outcome.kind], cell.says])
  const count = (kind: Outcome['kind']) => all.filter(({ outcome }) => outcome.kind === kind).length
  const totals = `${count('agree')} agree, ${count('differ')} differ, ${count('fault')} not held`
  return [table.toString(), ...presentSuites(all), totals].join('\n')
}

/** What the suites came to, class by class; nothing where none was run. */
function presentSuites(all: readonly Met[]): readonly string[] {
  const table = new Table({
    head: ['scenarios', ...CLASSES],
    style: { head: [], border: [] },
    colAligns: ['left', ...CLASSES.map(() => 'right' as const)],
  })
  for (const { cell, outcome } of all) {
    if (outcome.kind !== 'agree' || typeof outcome.saw === 'string') continue
    const { saw } = outcome
    table.push([cell.id, ...CLASSES.map((one) => String(saw[one]))])
  }
  return table.length === 0 ? [] : [table.toString()]
}

/** 0 when all agree, 1 when two differ, 2 when a meeting could not be held. */
export function exitCodeOf(all: readonly Met[]): 0 | 1 | 2 {
  if (all.some(({ outcome }) => outcome.kind === 'fault')) return 2
  return all.some(({ outcome }) => outcome.kind === 'differ') ? 1 : 0
}

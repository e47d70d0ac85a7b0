import { OUTCOME_ROWS } from '../../conformance/report/outcomes.ts'
import type { Outcome } from '../../conformance/report/result.ts'
import {
  counted,
  duration,
  shortLine,
  thousands,
  visibleLine,
} from '../../conformance/report/visible.ts'
import type { Change, Round } from './history.ts'

const MOST_CHANGES = 30
const LONGEST = 300

/** The word of an outcome; `absent` for a scenario that was not part of a round. */
export const wordOf = (outcome: Outcome | null): string =>
  outcome === null ? 'absent' : OUTCOME_ROWS[outcome].word

const isFirst = (changes: readonly Change[]): boolean =>
  changes.length > 0 && changes.every(({ before, round }) => before === null && round === 1)

/** The lines of a round: its verdict, and what differs from the round before. */
export function presentRound(round: Round, changes: readonly Change[]): string {
  const { started, verdict, says, passed, failed, seconds } = round
  const counts = `${thousands(passed)} passed, ${thousands(failed)} failed`
  const head = `${started}  ${verdict}  ${counts}  (${duration(seconds * 1000)})`
  const why =
    verdict === 'conforms' || says === '' ? [] : [`  ${shortLine(visibleLine(says), LONGEST)}`]
  return `${[head, ...why, ...presentChanges(changes)].join('\n')}\n`
}

function presentChanges(changes: readonly Change[]): readonly string[] {
  if (isFirst(changes)) return [`  ${counted(changes.length, 'scenario')} in the first round`]
  const left = changes.length - MOST_CHANGES
  return [
    ...changes.slice(0, MOST_CHANGES).map(presentChange),
    ...(left > 0 ? [`  and ${counted(left, 'more change')}`] : []),
  ]
}

function presentChange({ scenario, version, before, after, reason }: Change): string {
  const why = reason === '' ? '' : `: ${shortLine(visibleLine(reason), LONGEST)}`
  return `  ${visibleLine(scenario)} ${version}  ${wordOf(before)} → ${wordOf(after)}${why}`
}

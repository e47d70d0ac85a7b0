import { OUTCOME_ROWS } from '../outcomes.ts'
import type { Colours } from '../present-table.ts'
import type { Outcome } from '../result.ts'
import { counted, shortLine, visibleLine } from '../visible.ts'
import type {
  Change,
  CheckChange,
  Direction,
  FactChange,
  Place,
  RequirementChange,
  RunDiff,
  ScenarioChange,
} from './diff.ts'
import { STANDING_ROWS, type Standing } from './standing.ts'

const LONGEST_VALUE = 300

const shown = (value: string): string => shortLine(value, LONGEST_VALUE)

const placeOf = ({ role, id, version }: Place): string => `${role} ${version}  ${visibleLine(id)}`

const outcomeWord = (outcome: Outcome | null, absent: string): string =>
  outcome === null ? absent : OUTCOME_ROWS[outcome].word

const standingWord = (standing: Standing | null): string =>
  standing === null ? 'not made' : STANDING_ROWS[standing].words

const label = (name: string): string => `  ${name.padEnd(13)}`

const factLines = ({ fact, before, after }: FactChange): readonly string[] => [
  `${label('run')}${fact}  ${shown(before ?? '')} → ${shown(after ?? '')}`,
]

const complaintLines = ({ before, after }: Change): readonly string[] => [
  `${label('complaint')}${after === null ? 'gone: ' : 'new: '}${shown(after ?? before ?? '')}`,
]

const scenarioLines = (one: ScenarioChange): readonly string[] => [
  `${label('scenario')}${placeOf(one)}  ${outcomeWord(one.before, 'new')} → ${outcomeWord(one.after, 'gone')}`,
]

const valueLine = (name: string, value: string | null, standing: Standing | null): string =>
  `${label('')}  ${name}  ${value === null ? '' : `${shown(value)}  `}(${standingWord(standing)})`

const checkLines = (one: CheckChange): readonly string[] => [
  `${label('check')}${placeOf(one)}  ${visibleLine(one.what)}  ${visibleLine(one.requirement)}`,
  valueLine('before', one.before, one.standing_before),
  valueLine('after ', one.after, one.standing_after),
]

const requirementLines = (one: RequirementChange): readonly string[] => [
  `${label('requirement')}${visibleLine(one.id)}  ${one.version}  ${one.before ?? 'not executed'} → ${one.after ?? 'not executed'}`,
]

interface Line {
  readonly direction: Direction
  readonly lines: readonly string[]
}

const linesOf = <One extends { readonly direction: Direction }>(
  changes: readonly One[],
  present: (one: One) => readonly string[],
): readonly Line[] => changes.map((one) => ({ direction: one.direction, lines: present(one) }))

const HEADINGS: readonly (readonly [Direction, string])[] = [
  ['worse', 'worse'],
  ['better', 'better'],
  ['changed', 'changed, neither better nor worse'],
]

const painted = (colours: Colours, direction: Direction, text: string): string => {
  if (direction === 'changed') return colours.bold(text)
  return colours.bold(direction === 'worse' ? colours.red(text) : colours.green(text))
}

/** The differences as text, worst first, with a closing line of counts; one line if there are none. */
export const presentDiff = (diff: RunDiff, colours: Colours): string => {
  const all = [
    ...linesOf(diff.facts, factLines),
    ...linesOf(diff.complaints, complaintLines),
    ...linesOf(diff.scenarios, scenarioLines),
    ...linesOf(diff.checks, checkLines),
    ...linesOf(diff.requirements, requirementLines),
  ]
  const { scenarios, checks, requirements } = diff.compared
  if (all.length === 0) {
    return `no difference in ${counted(scenarios, 'scenario')}, ${counted(checks, 'check')} and ${counted(requirements, 'requirement')}`
  }
  const groups = HEADINGS.map(([direction, heading]) => ({
    direction,
    heading,
    own: all.filter((one) => one.direction === direction),
  })).filter(({ own }) => own.length > 0)
  const counts = groups.map(({ direction, own }) => `${own.length} ${direction}`)
  return [
    ...groups.flatMap(({ direction, heading, own }) => [
      painted(colours, direction, heading),
      ...own.flatMap(({ lines }) => lines),
      '',
    ]),
    `differences: ${counts.join(', ')}`,
  ].join('\n')
}

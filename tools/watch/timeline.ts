import { BY_URGENCY } from '../../conformance/report/outcomes.ts'
import type { Outcome } from '../../conformance/report/result.ts'
import type { Change, ScenarioOutcome } from './history.ts'

/** The outcomes of one scenario over all rounds; null where it was not part of a round. */
export interface Timeline extends Pick<ScenarioOutcome, 'scenario' | 'version'> {
  readonly outcomes: readonly (Outcome | null)[]
  /** Changes after the first round in which it was. */
  readonly changed: number
  /** Why it is not a pass now; empty for a pass. */
  readonly reason: string
}

const URGENCY = (outcome: Outcome | null): number =>
  outcome === null ? BY_URGENCY.length : BY_URGENCY.indexOf(outcome)

/** The scenarios whose outcome changed, or that fail: the most urgent first, then those that changed most often. */
export function timelinesOf(changes: readonly Change[], rounds: number): readonly Timeline[] {
  const grouped = new Map<string, Change[]>()
  for (const change of changes) {
    const key = `${change.scenario} ${change.version}`
    const own = grouped.get(key)
    if (own === undefined) grouped.set(key, [change])
    else own.push(change)
  }
  const isQuiet = ({ changed, outcomes }: Timeline) => changed === 0 && outcomes.at(-1) === 'pass'
  return [...grouped.values()]
    .map((own) => timelineOf(own, rounds))
    .filter((one) => !isQuiet(one) && (one.changed > 0 || one.reason !== ''))
    .toSorted(
      (one, other) =>
        URGENCY(one.outcomes.at(-1) ?? null) - URGENCY(other.outcomes.at(-1) ?? null) ||
        other.changed - one.changed,
    )
}

function timelineOf(own: readonly Change[], rounds: number): Timeline {
  const outcomes = Array.from({ length: rounds }, (): Outcome | null => null)
  for (const { round, after } of own) outcomes.fill(after, round - 1)
  const { scenario = '', version = '', reason = '' } = own.at(-1) ?? {}
  return { scenario, version, outcomes, reason, changed: own.length - 1 }
}

/** At most `most` parts of equal size in which a strip shows items; each is shown by its first most urgent item. */
export function inBins<Item>(
  items: readonly Item[],
  most: number,
  urgencyOf: (item: Item) => number,
): readonly Item[] {
  const size = Math.max(1, Math.ceil(items.length / most))
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  ).flatMap((part) => part.toSorted((one, other) => urgencyOf(one) - urgencyOf(other))[0] ?? [])
}

/** Runs of equal items, each with its place and length. */
export function runsOf<Item>(
  items: readonly Item[],
): readonly { readonly item: Item; readonly at: number; readonly length: number }[] {
  const starts = items.flatMap((item, at) =>
    at > 0 && item === items[at - 1] ? [] : [{ item, at }],
  )
  return starts.map((one, index) => ({
    ...one,
    length: (starts[index + 1]?.at ?? items.length) - one.at,
  }))
}

import { OUTCOME_ROWS } from '../outcomes.ts'
import type { Colours } from '../present-table.ts'
import type { ScenarioResult } from '../result.ts'
import { thousands, visibleLine } from '../visible.ts'
import type { Situation } from './live-lines.ts'
import { presentTimes, wholeSeconds } from './present-times.ts'

/** A scenario of the plan under one version. */
export interface PlannedScenario {
  readonly id: string
  /** Approximate duration in seconds on an idle machine, if above two. */
  readonly seconds?: number
}

/** How far a run is. */
export interface RunSituation extends Situation {
  /** The last step of the set-up. */
  setup(step: string): void
  began(plan: readonly PlannedScenario[]): void
  finished(scenario: Pick<ScenarioResult, 'id' | 'outcome'>): void
}

interface Count {
  total: number
  done: number
  failed: number
}

/**
 * Work of a scenario in scenarios of less than two seconds. A long one mostly waits, and others run meanwhile: measured,
 * half of its seconds count.
 */
const workOf = (seconds = 0): number => 1 + seconds / 2

/** The area of a scenario is the first word of its id. */
const areaOf = (id: string): string => id.split('.')[0] ?? id

const isDone = ({ done, total }: Count): boolean => done === total

class Counts {
  readonly all: Count = { total: 0, done: 0, failed: 0 }
  readonly areas = new Map<string, Count>()
  /** By scenario; a scenario under several versions has the same work under each. */
  readonly #work = new Map<string, number>()
  #total = 0
  #done = 0

  constructor(plan: readonly PlannedScenario[]) {
    for (const { id, seconds } of plan.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
      const area = this.areas.get(areaOf(id)) ?? { total: 0, done: 0, failed: 0 }
      this.areas.set(areaOf(id), area)
      area.total++
      this.all.total++
      this.#work.set(id, workOf(seconds))
      this.#total += workOf(seconds)
    }
  }

  add({ id, outcome }: Pick<ScenarioResult, 'id' | 'outcome'>): void {
    const failed = OUTCOME_ROWS[outcome].tally === 'failed' ? 1 : 0
    for (const count of [this.all, this.areas.get(areaOf(id))]) {
      if (count === undefined) continue
      count.done++
      count.failed += failed
    }
    this.#done += this.#work.get(id) ?? 0
  }

  /** The share of the work that is done. */
  get share(): number {
    return this.#done / this.#total
  }
}

/** How far a run is: its set-up, then counts for each area, elapsed and remaining time. `now` returns milliseconds. */
export function trackRun(now: () => number, colours: Colours): RunSituation {
  const started = now()
  let step = 'starting'
  let running: { readonly counts: Counts; readonly since: number } | undefined
  const setUp = (): string => `setting up: ${step}, ${wholeSeconds(now() - started)}`
  const times = ({ counts: { all, share }, since }: NonNullable<typeof running>): string =>
    isDone(all)
      ? `${wholeSeconds(now() - started)}, ending the deployment and writing the reports`
      : presentTimes(now() - since, share)
  return {
    setup(what) {
      step = visibleLine(what)
    },
    began(plan) {
      running = { counts: new Counts(plan), since: now() }
    },
    finished: (scenario) => running?.counts.add(scenario),
    line() {
      if (running === undefined) return setUp()
      const { all } = running.counts
      const words = [`${ofTotal(all)} scenarios`, failedOf(all), times(running)]
      return words.filter((word) => word !== '').join(', ')
    },
    lines(rows) {
      if (running === undefined) return [setUp()]
      const { areas, all } = running.counts
      return [...rowsOf([...areas, ['all', all]], rows - 1, colours), times(running)]
    },
  }
}

const ofTotal = ({ done, total }: Count): string => `${thousands(done)} of ${thousands(total)}`

const failedOf = ({ failed }: Count): string => (failed === 0 ? '' : `${thousands(failed)} failed`)

type NamedCount = readonly [name: string, count: Count]

/** A row for each area and one for their sum; if the terminal is too low for them, without areas that are done. */
function rowsOf(counts: readonly NamedCount[], rows: number, colours: Colours): readonly string[] {
  const open = counts.filter(([name, count]) => name === 'all' || !isDone(count))
  const shown = (counts.length <= rows ? counts : open).slice(-Math.max(1, rows))
  const widest = Math.max(...counts.map(([name]) => name.length))
  const total = Math.max(...counts.map(([, count]) => thousands(count.total).length))
  return shown.map(([name, count]) => {
    const done = thousands(count.done).padStart(total)
    const line = `${name.padEnd(widest)}  ${done} of ${thousands(count.total).padStart(total)}`
    const failed = failedOf(count)
    if (failed !== '') return `${line}  ${colours.red(failed)}`
    return isDone(count) ? colours.dim(line) : line
  })
}

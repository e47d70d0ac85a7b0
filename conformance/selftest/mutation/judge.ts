import type { Trial } from '../../runner/plan.ts'
import { keyOf } from './key-of.ts'
import type { CoverageMap, Covered } from './map-coverage.ts'
import { describe, type Found, groupByRequirement, isAt, isRed } from './red-requirements.ts'
import type { Activation, Subject } from './subject.ts'

/** A mutant of a build. `rows`: the requirements that should go red, if a person has named them. */
export interface Mutant {
  readonly active: string
  readonly key: string
  readonly file: string
  readonly rows?: readonly string[]
}

/**
 * What the suite says of a mutant.
 *
 * - `caught`: a scenario fails, and passes again without the mutant.
 * - `warned`: no scenario fails, and one warns.
 * - `survived`: every scenario that reaches it passes.
 * - `not reached`: no scenario runs its code.
 */
export interface Judgement {
  readonly key: string
  readonly outcome: 'caught' | 'warned' | 'survived' | 'not reached'
  /**
   * A scenario that was not passed, with its version, and a requirement that it failed: one of the mutant's if possible; or
   * its outcome, such as `hang` or `harness-fault`, if it failed none.
   */
  readonly by?: string
  readonly requirement?: string
  /** Number of scenarios run. */
  readonly ran: number
  /** Every requirement that went red, with its scenarios, if all that reach the mutant ran. */
  readonly red?: Readonly<Record<string, readonly string[]>>
}

/** Scenarios run one after the other before several run at once: most mutants are caught by the first. */
const ONE_BY_ONE = 4
const AT_ONCE = 6

/** More than any number of words that an id and a path share. */
const FAMILIAR = 100

/** More than any number of mutants that a scenario has caught. */
const PROMISING = 1_000_000

/** Which scenarios have caught mutants of a file, so that they are tried first on the next. */
export class Judge {
  readonly #map: CoverageMap
  readonly #most: number
  readonly #caught = new Map<string, number>()
  readonly #excluded = new Set<Covered>()
  /** The files of the mutants that a scenario reaches. */
  readonly #files: ReadonlyMap<Covered, ReadonlySet<string>>

  /** The scenario that found a mutant before. */
  readonly #found: Readonly<Record<string, string>>

  /** `most`: of many scenarios that reach a mutant, so many run. `found`: keys of mutants, each with a scenario that runs first. */
  constructor(
    map: CoverageMap,
    mutants: readonly Mutant[],
    most: number,
    found: Readonly<Record<string, string>> = {},
  ) {
    this.#map = map
    this.#most = most
    this.#found = found
    const fileOf = new Map(mutants.map(({ active, file }) => [active, file]))
    const filesOf = ({ reached }: Covered) =>
      new Set([...reached].map((one) => fileOf.get(one) ?? ''))
    this.#files = new Map(map.covered.map((one) => [one, filesOf(one)]))
  }

  /**
   * How a mutant is switched on: in a process that has started, and, if its code also runs when a process loads or
   * starts, in a new one, since tables and routes are made only once.
   */
  #activationsOf({ active }: Mutant): readonly Activation[] {
    const { atLoad, atStart, covered } = this.#map
    const later = covered.some(({ reached }) => reached.has(active))
    const early = atLoad.has(active) || atStart.has(active)
    return [
      ...(later || !atLoad.has(active) ? [{ active, atLoad: false }] : []),
      ...(early ? [{ active, atLoad: true }] : []),
    ]
  }

  /**
   * The scenarios that may notice a mutant, the most promising first: those that reach it; for code of the start, those
   * that reach its file, or all; and those of the requirements that it is named for, since a process that a scenario
   * kills reports no coverage.
   */
  #scenariosFor({ active, key, file, rows = [] }: Mutant): readonly Covered[] {
    const { covered, atStart } = this.#map
    const direct = covered.filter(({ reached }) => reached.has(active))
    const ofStart = () => {
      const near = covered.filter((one) => this.#files.get(one)?.has(file))
      return near.length > 0 ? near : covered
    }
    const reaching = direct.length === 0 && atStart.has(active) ? ofStart() : direct
    const named = covered.filter((one) => rows.some((row) => has(one, row)))
    const candidates = [...new Set([...reaching, ...named])]
    const words = wordsOf(file)
    const shares = new Map(rows.map((row) => [row, 1 / count(candidates, (one) => has(one, row))]))
    // A scenario with a requirement that few others check is tried before the many of a common one.
    const shareOf = ({ scenario: { requirements } }: Trial) =>
      Math.max(0, ...requirements.map((row) => 1 + (shares.get(row) ?? -1)))
    const promise = ({ trial }: Covered) =>
      FAMILIAR * (this.#caught.get(`${file} ${keyOf(trial)}`) ?? 0) +
      count(wordsOf(trial.scenario.id), (word) => words.has(word)) +
      PROMISING * shareOf(trial) +
      (this.#found[key] === keyOf(trial) ? 3 * PROMISING : 0)
    return spread(candidates.filter((one) => !this.#excluded.has(one)))
      .toSorted((one, other) => promise(other) - promise(one))
      .slice(0, this.#most)
  }

  /** Runs every scenario that may notice a mutant, and lists all that fails, and passes again without it. */
  async listRed(subject: Subject, mutant: Mutant): Promise<Judgement> {
    const { key, rows = [] } = mutant
    const chosen = this.#scenariosFor(mutant)
    const failed: Found[] = []
    for (const activation of this.#activationsOf(mutant)) {
      await subject.activate(activation)
      failed.push(...(await runAll(subject, chosen)).filter(isRed))
    }
    await subject.activate(null)
    const again = await runAll(
      subject,
      failed.map(({ covered }) => covered),
    )
    const standing = failed.filter((_, index) => again[index]?.result.outcome === 'pass')
    const red = groupByRequirement(standing)
    const ran = chosen.length
    const [first] = standing
    if (first === undefined) return { key, outcome: ran === 0 ? 'not reached' : 'survived', ran }
    const right = standing.find((one) => isAt(one, rows))
    return { key, outcome: 'caught', ...describe(right ?? first, rows), ran, red }
  }

  /** Judges one mutant. Rejects if the subject has to be replaced before the next one. */
  async judge(subject: Subject, mutant: Mutant): Promise<Judgement> {
    const chosen = this.#scenariosFor(mutant)
    const { key, rows } = mutant
    if (chosen.length === 0) return { key, outcome: 'not reached', ran: 0 }
    let ran = 0
    let warned: Found | undefined
    for (const activation of this.#activationsOf(mutant)) {
      const starts = await subject.activate(activation).then(
        () => true,
        () => false,
      )
      if (!starts) return { key, outcome: 'caught', by: 'start', ran }
      const tried = await firstRed(subject, chosen, rows)
      ran += tried.ran
      warned ??= tried.warned
      if (tried.red !== undefined) {
        this.#remember(mutant, tried.red)
        const judgement = { key, outcome: 'caught', ...describe(tried.red, rows), ran } as const
        await this.#requireStanding(subject, tried.red.covered, judgement)
        return judgement
      }
    }
    if (warned !== undefined) return { key, outcome: 'warned', ...describe(warned, rows), ran }
    return { key, outcome: 'survived', ran }
  }

  /** Throws {@link Spoilt} unless the scenario passes on the same servers without the mutant. */
  async #requireStanding(subject: Subject, covered: Covered, judgement: Judgement): Promise<void> {
    await subject.activate(null)
    const { outcome, reason = outcome } = await subject.run(covered.trial)
    if (outcome !== 'pass') throw new Spoilt(judgement, covered, reason)
  }

  /** Leaves out a scenario that does not always pass. */
  exclude(covered: Covered): void {
    this.#excluded.add(covered)
  }

  #remember({ file }: Mutant, { covered }: Found): void {
    const name = `${file} ${keyOf(covered.trial)}`
    this.#caught.set(name, (this.#caught.get(name) ?? 0) + 1)
  }
}

const has = ({ trial }: Covered, row: string) => trial.scenario.requirements.includes(row)

/** The words of a path or an id: a scenario about sessions is likely to find a mutant in a folder of that name. */
function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.split(/[^a-z]+/).map((word) => word.replace(/s$/, '')))
}

function count<T>(items: Iterable<T>, holds: (item: T) => boolean): number {
  return [...items].filter(holds).length
}

/** The subject keeps something of a mutant: a scenario fails without it. */
export class Spoilt extends Error {
  readonly judgement: Judgement
  readonly covered: Covered

  constructor(judgement: Judgement, covered: Covered, reason: string) {
    super(`${judgement.by} fails after ${judgement.key}: ${reason}`)
    this.judgement = judgement
    this.covered = covered
  }
}

interface Tried {
  readonly red: Found | undefined
  readonly warned: Found | undefined
  readonly ran: number
}

/** Runs scenarios until one fails; if `rows` are given, at one of these requirements if possible. */
async function firstRed(
  subject: Subject,
  chosen: readonly Covered[],
  rows: readonly string[] = [],
): Promise<Tried> {
  let ran = 0
  let warned: Found | undefined
  let red: Found | undefined
  const wanted = (covered: Covered) => rows.some((row) => has(covered, row))
  for (let from = 0; from < chosen.length; ) {
    const batch = chosen.slice(from, from + (from < ONE_BY_ONE ? 1 : AT_ONCE))
    from += batch.length
    if (red !== undefined && !batch.some(wanted)) break
    const found = await Promise.all(
      batch.map(async (covered) => ({ covered, result: await subject.run(covered.trial) })),
    )
    ran += found.length
    warned ??= found.find(({ result }) => result.outcome === 'warn')
    const failed = found.filter(isRed)
    const right = failed.find((one) => isAt(one, rows))
    red = right ?? red ?? failed[0]
    if (red !== undefined && (rows.length === 0 || right !== undefined)) break
  }
  return { red, warned, ran }
}

async function runAll(subject: Subject, chosen: readonly Covered[]): Promise<readonly Found[]> {
  const found: Found[] = []
  const next = chosen.values()
  const work = async () => {
    for (const covered of next) found.push({ covered, result: await subject.run(covered.trial) })
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return chosen.flatMap((covered) => found.find((one) => one.covered === covered) ?? [])
}

/** Words of an id that name a group of similar scenarios. */
const GROUP_WORDS = 3

/** Short scenarios first, alternating between areas, so that the first few differ from each other. */
function spread(covered: readonly Covered[]): readonly Covered[] {
  const sizes = new Map<string, number>()
  return covered
    .toSorted((one, other) => one.ms - other.ms)
    .map((one) => {
      const group = one.trial.scenario.id.split('.').slice(0, GROUP_WORDS).join('.')
      const at = sizes.get(group) ?? 0
      sizes.set(group, at + 1)
      return { one, at }
    })
    .toSorted((one, other) => one.at - other.at)
    .map(({ one }) => one)
}

import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import Libsql from 'libsql'
import { SetupFault } from '../../conformance/input/fault.ts'
import type { Outcome, Verdict } from '../../conformance/report/result.ts'

/** A run of a watch, or the attempt of one. */
export interface Round {
  /** ISO 8601, in UTC. */
  readonly started: string
  readonly seconds: number
  readonly verdict: Verdict
  /** One sentence: why there is no verdict, or what failed first; empty if everything passed. */
  readonly says: string
  readonly assay_version: string
  readonly seed: string
  readonly passed: number
  readonly failed: number
}

/** A scenario under one version, with its outcome in one round. */
export interface ScenarioOutcome {
  readonly scenario: string
  readonly version: string
  readonly outcome: Outcome
  /** Why it is not a pass; empty for a pass. */
  readonly reason: string
}

/** An outcome that differs from that of the round before; null if the scenario was not part of one of the rounds. */
export interface Change {
  /** The number of the round, from 1. */
  readonly round: number
  readonly scenario: string
  readonly version: string
  readonly before: Outcome | null
  readonly after: Outcome | null
  readonly reason: string
}

/** The rounds of a watch, in one SQLite file. Of outcomes only changes are stored, so that a year fits in it. */
export interface History {
  readonly target: string
  /** Stores a round. `outcomes` are those of all its scenarios; undefined if it has no result. */
  add(round: Round, latest: readonly ScenarioOutcome[] | undefined): readonly Change[]
  /** All rounds, the first one first. */
  rounds(): readonly Round[]
  /** All changes, the first one first. */
  changes(): readonly Change[]
  /** The outcomes of the last round that has a result. */
  latest(): readonly ScenarioOutcome[]
  close(): void
}

const FORM = 1
const TABLES = `
create table if not exists watch (form integer not null, target text not null);
create table if not exists round (
  number integer primary key, started text not null, seconds real not null, verdict text not null, says text not null,
  assay_version text not null, seed text not null, passed integer not null, failed integer not null);
create table if not exists change (
  round integer not null references round (number), scenario text not null, version text not null,
  before text, after text, reason text not null, primary key (round, scenario, version));
create table if not exists latest (
  scenario text not null, version text not null, outcome text not null, reason text not null,
  primary key (scenario, version));`

/** Opens the history in a file, or begins one. Throws a {@link SetupFault} for a file of something or someone else. */
export function openHistory(file: string, target: string): History {
  const database = openDatabase(file)
  try {
    database.exec(TABLES)
    const known = database.prepare('select form, target from watch').get() as
      | { readonly form: number; readonly target: string }
      | undefined
    if (known === undefined) database.prepare('insert into watch values (?, ?)').run(FORM, target)
    else refuseOther(file, known, target)
  } catch (error) {
    database.close()
    throw error instanceof SetupFault ? error : notAHistory(file, error)
  }
  return historyIn(database, target)
}

function openDatabase(file: string): Libsql.Database {
  try {
    mkdirSync(dirname(file), { recursive: true })
    return new Libsql(file)
  } catch (error) {
    throw notAHistory(file, error)
  }
}

function notAHistory(file: string, cause: unknown): SetupFault {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new SetupFault(`--history ${file} cannot be used: ${why}`, {
    next: 'give a file that assay watch wrote, or a new one',
    cause,
  })
}

function refuseOther(
  file: string,
  known: { readonly form: number; readonly target: string },
  target: string,
): void {
  if (known.form !== FORM)
    throw new SetupFault(`${file} was written by another version of Assay (form ${known.form})`, {
      next: 'give another file with --history',
    })
  if (known.target !== target)
    throw new SetupFault(`${file} is the history of the target ${known.target}, not ${target}`, {
      next: 'give another file with --history',
    })
}

function historyIn(database: Libsql.Database, target: string): History {
  const all = <Row>(text: string): readonly Row[] => database.prepare(text).all() as Row[]
  const latest = () => all<ScenarioOutcome>('select * from latest order by scenario, version')
  const addRound = database.prepare('insert into round values (null, ?, ?, ?, ?, ?, ?, ?, ?)')
  const addChange = database.prepare('insert into change values (?, ?, ?, ?, ?, ?)')
  const setLatest = database.prepare('insert or replace into latest values (?, ?, ?, ?)')
  const endLatest = database.prepare('delete from latest where scenario = ? and version = ?')
  const store = database.transaction((round: Round, changes: readonly Omit<Change, 'round'>[]) => {
    const { started, seconds, verdict, says, assay_version: assay, seed, passed, failed } = round
    const added = addRound.run(started, seconds, verdict, says, assay, seed, passed, failed)
    const number = Number(added.lastInsertRowid)
    for (const { scenario, version, before, after, reason } of changes) {
      addChange.run(number, scenario, version, before, after, reason)
      if (after === null) endLatest.run(scenario, version)
      else setLatest.run(scenario, version, after, reason)
    }
    return changes.map((change) => ({ round: number, ...change }))
  })
  return {
    target,
    add: (round, found) => store(round, found === undefined ? [] : changesBetween(latest(), found)),
    rounds: () =>
      all<Round>(
        'select started, seconds, verdict, says, assay_version, seed, passed, failed from round order by number',
      ),
    changes: () => all<Change>('select * from change order by round, scenario, version'),
    latest,
    close: () => database.close(),
  }
}

const keyOf = ({ scenario, version }: ScenarioOutcome): string => `${scenario} ${version}`

/** What differs between the outcomes of two rounds. */
export function changesBetween(
  before: readonly ScenarioOutcome[],
  after: readonly ScenarioOutcome[],
): readonly Omit<Change, 'round'>[] {
  const earlier = new Map(before.map((one) => [keyOf(one), one]))
  const later = new Set(after.map(keyOf))
  return [
    ...after.flatMap(({ outcome, ...rest }) => {
      const old = earlier.get(keyOf({ outcome, ...rest }))?.outcome ?? null
      return old === outcome ? [] : [{ ...rest, before: old, after: outcome }]
    }),
    ...before.flatMap(({ outcome, scenario, version }) =>
      later.has(`${scenario} ${version}`)
        ? []
        : [{ scenario, version, before: outcome, after: null, reason: '' }],
    ),
  ]
}

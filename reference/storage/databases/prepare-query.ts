import type { Compilable, CompiledQuery, Kysely } from 'kysely'

/** Where a value goes that each use of a query brings; Kysely takes it for a value like any other. */
class Place {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

type Values = Readonly<Record<string, unknown>>

/** A query that is written as SQL once; `on` is the transaction that a use of it is part of. */
export interface Prepared<Given extends object, Row, Schema> {
  all(given: Given, on?: Kysely<Schema>): Promise<readonly Row[]>
  first(given: Given, on?: Kysely<Schema>): Promise<Row | undefined>
  /** How many rows it changed. */
  changes(given: Given, on?: Kysely<Schema>): Promise<number>
}

/**
 * Puts a query together at its first use, and fills in values afterwards: what Kysely does for a query takes longer
 * than what SQLite does. `at` holds the placeholders; the text of the query must not depend on them.
 */
export function prepareQuery<Given extends object, Row, Schema>(
  database: Kysely<Schema>,
  build: (database: Kysely<Schema>, at: Given) => Compilable<Row>,
): Prepared<Given, Row, Schema> {
  let known: CompiledQuery<Row> | undefined
  const use = (given: Given, on = database) => {
    known ??= build(database, places<Given>()).compile()
    return execute(on, known, given as Values)
  }
  return {
    all: async (given, on) => (await use(given, on)).rows,
    first: async (given, on) => (await use(given, on)).rows[0],
    changes: async (given, on) => Number((await use(given, on)).numAffectedRows ?? 0),
  }
}

/** Writes some columns or others of the rows that `given` names; false when there was none. */
type PreparedWrite<Columns extends object, Given extends object, Schema> = (
  columns: Columns,
  given: Given,
  on?: Kysely<Schema>,
) => Promise<boolean>

/** The same for a query that writes: one for each set of columns. */
export function prepareWrite<Columns extends object, Given extends object, Schema>(
  database: Kysely<Schema>,
  build: (database: Kysely<Schema>, columns: Columns, at: Given) => Compilable<unknown>,
): PreparedWrite<Columns, Given, Schema> {
  const known = new Map<string, CompiledQuery<unknown>>()
  return async (columns, given, on = database) => {
    const written = asWritten(columns)
    const names = Object.keys(written).join()
    const query = known.get(names) ?? build(database, placesOf(columns), places()).compile()
    known.set(names, query)
    const { numAffectedRows = 0n } = await execute(on, query, { ...given, ...written })
    return numAffectedRows > 0n
  }
}

/** Before the name of a column that is written, as the same column may say which rows are meant. */
const WRITTEN = 'written '

function asWritten(columns: object): Values {
  return Object.fromEntries(Object.entries(columns).map(([name, value]) => [WRITTEN + name, value]))
}

function placesOf<Columns extends object>(columns: Columns): Columns {
  const written = Object.keys(columns).map((name) => [name, new Place(WRITTEN + name)])
  return Object.fromEntries(written) as Columns
}

/** Every property of it is the placeholder of that name. */
function places<Given extends object>(): Given {
  return new Proxy({}, { get: (_, name) => new Place(String(name)) }) as Given
}

function execute<Row, Schema>(on: Kysely<Schema>, query: CompiledQuery<Row>, values: Values) {
  const parameters = query.parameters.map((one) => (one instanceof Place ? values[one.name] : one))
  return on.executeQuery<Row>({ ...query, parameters })
}

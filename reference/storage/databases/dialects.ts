import {
  type DataTypeNode,
  type Driver,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresQueryCompiler,
  type QueryCompiler,
  type SelectModifierNode,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteQueryCompiler,
} from 'kysely'

/** Column types as migrations name them, by what a database calls them; a type that is not here has its own name. */
type ColumnTypes = Readonly<Record<string, string>>

/** An auto-incremented column is the primary key. */
const SQLITE_TYPES: ColumnTypes = { bigserial: 'integer primary key autoincrement' }

/** An integer holds milliseconds since the epoch, and texts sort by value: SQLite needs no declaration for that. */
const POSTGRES_TYPES: ColumnTypes = {
  integer: 'bigint',
  text: 'text collate "C"',
  bigserial: 'bigserial primary key',
}

/** One connection writes, one transaction after the other: a transaction has every row for itself. */
const NEEDLESS_IN_SQLITE: ReadonlySet<string> = new Set([
  'ForUpdate',
  'ForNoKeyUpdate',
  'ForShare',
  'ForKeyShare',
  'SkipLocked',
  'NoWait',
])

class SqliteCompiler extends SqliteQueryCompiler {
  protected override visitDataType(node: DataTypeNode): void {
    this.append(SQLITE_TYPES[node.dataType] ?? node.dataType)
  }

  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (!NEEDLESS_IN_SQLITE.has(node.modifier ?? '')) super.visitSelectModifier(node)
  }
}

class PostgresCompiler extends PostgresQueryCompiler {
  protected override visitDataType(node: DataTypeNode): void {
    this.append(POSTGRES_TYPES[node.dataType] ?? node.dataType)
  }
}

/** SQLite as stores use it: a locking query becomes a plain one, as there is no other writer. */
export function sqliteDialect(config: SqliteDialectConfig): SqliteDialect {
  return new (class extends SqliteDialect {
    override createQueryCompiler(): QueryCompiler {
      return new SqliteCompiler()
    }

    override createDriver(): Driver {
      const driver = super.createDriver()
      const rollback = driver.rollbackTransaction.bind(driver)
      driver.rollbackTransaction = (...given) => rollback(...given).catch(unlessOver)
      return driver
    }
  })(config)
}

/** SQLite itself ends a transaction that meets a full disk; its second end would hide the first error. */
function unlessOver(error: unknown): void {
  if (!String(error).includes('no transaction is active')) throw error
}

/** PostgreSQL with the column types that the migrations mean. */
export function postgresDialect(config: PostgresDialectConfig): PostgresDialect {
  return new (class extends PostgresDialect {
    override createQueryCompiler(): QueryCompiler {
      return new PostgresCompiler()
    }
  })(config)
}

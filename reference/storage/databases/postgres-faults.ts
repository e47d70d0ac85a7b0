import { ApiError, StartFault } from '../../errors.ts'
import { nameOf, type PostgresPlace } from './postgres-url.ts'

/** What went wrong, by its SQLSTATE or by Node's code of it. */
interface KnownFault {
  readonly codes: RegExp
  readonly sentence: (place: PostgresPlace) => string
  readonly next: (place: PostgresPlace) => string
}

const GIVE_ANOTHER = 'give another place with --database'

/** The server asks for a password, and none is configured. */
export class NoPassword extends Error {
  readonly code = 'NO_PASSWORD'
}

/** Why a component cannot start on a database; the first row that fits. */
const START_FAULTS: readonly KnownFault[] = [
  {
    codes: /^ECONNREFUSED$/,
    sentence: ({ host, port }) => `no PostgreSQL listens at ${host}:${port}`,
    next: () => `start it there, or ${GIVE_ANOTHER}`,
  },
  {
    codes: /^(ENOTFOUND|EAI_AGAIN)$/,
    sentence: ({ host }) => `the database host ${host} is not known here`,
    next: () => `correct its name, or ${GIVE_ANOTHER}`,
  },
  {
    codes: /^NO_PASSWORD$/,
    sentence: (place) => `${nameOf(place)} asks for a password, and none was given`,
    next: () => 'put it into the environment as PGPASSWORD',
  },
  {
    codes: /^28/,
    sentence: (place) => `${nameOf(place)} is not open to this user and password`,
    next: () => 'check the user of the URL, the password in PGPASSWORD, and pg_hba.conf',
  },
  {
    codes: /^3D000$/,
    sentence: (place) => `there is no database ${nameOf(place)}`,
    next: ({ database }) => `make it with createdb ${database}, or ${GIVE_ANOTHER}`,
  },
  {
    codes: /^42501$/,
    sentence: (place) => `the user of ${nameOf(place)} may not make tables in it`,
    next: ({ user, database }) =>
      `let the user own it: ALTER DATABASE ${database} OWNER TO ${user}`,
  },
  {
    codes: /CERT|ALTNAME|SELF_SIGNED|UNABLE_TO|^ERR_(SSL|TLS)/,
    sentence: (place) => `${nameOf(place)} shows a certificate that does not hold`,
    next: () => 'name its CA in the URL: ?sslmode=verify-full&sslrootcert=FILE',
  },
]

/** The error for tables of another version; often they belong to the other component. */
export function migrationFault(place: PostgresPlace, cause: unknown): StartFault {
  if (codeOf(cause) !== '') return startFault(place, cause)
  return new StartFault(
    `the database ${nameOf(place)} cannot be brought to this version's tables`,
    'give each component a database of its own with --database',
    cause,
  )
}

/** The error for a database that cannot be used. */
export function startFault(place: PostgresPlace, cause: unknown): StartFault {
  const code = codeOf(cause)
  const known = START_FAULTS.find(({ codes }) => codes.test(code))
  if (known !== undefined) return new StartFault(known.sentence(place), known.next(place), cause)
  return new StartFault(
    `${nameOf(place)} cannot be used: ${cause instanceof Error ? cause.message : 'for no known reason'}`,
    'fix the cause and start again',
    cause,
  )
}

function codeOf(error: unknown): string {
  const { code, errors } = error as { code?: unknown; errors?: readonly unknown[] }
  // Of a name with several addresses, each of which refused.
  return typeof code === 'string' ? code : errors?.length ? codeOf(errors[0]) : ''
}

/** SQLSTATE classes of transient errors: connection, rollback, resources, intervention, lock not available. */
const PASSING = /^(08|25P03|40|53|57|55P03)/

/** A character that a text of PostgreSQL cannot have: NUL. */
const NO_TEXT = /^(22021|22P05)$/

/**
 * The reply to a request whose query failed: 503 for a transient error, 400 for a text that cannot be
 * kept; a wrong query stays an internal error. Any error that is not from the server is a lost connection.
 */
export function queryFault(cause: unknown): unknown {
  const code = stateOf(cause)
  if (code === undefined || PASSING.test(code))
    return new ApiError('database_unavailable', 'The database does not answer now.', { cause })
  if (NO_TEXT.test(code))
    return new ApiError('malformed_request', 'A text with a NUL character cannot be kept.', {
      cause,
    })
  return cause
}

/** The SQLSTATE, if it was the server that spoke. */
export function stateOf(error: unknown): string | undefined {
  const { code, severity } = error as { code?: unknown; severity?: unknown }
  return typeof code === 'string' && typeof severity === 'string' ? code : undefined
}

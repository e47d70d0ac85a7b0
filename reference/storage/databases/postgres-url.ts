import { readFileSync } from 'node:fs'
import { StartFault } from '../../errors.ts'

/** The address and user of a PostgreSQL database; a password never leaves this object. */
export interface PostgresPlace {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
  /** Undefined for the one in PGPASSWORD, if any. */
  readonly password: string | undefined
  /** TLS with the server's certificate and name checked against these CAs, or the system's; undefined without TLS. */
  readonly tls: { readonly ca?: string } | undefined
}

const FORM = 'write it as postgres://USER@HOST:PORT/NAME, with the password in PGPASSWORD'
const PORT = 5432
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/
const PARAMETERS = ['sslmode', 'sslrootcert']

export function isPostgresUrl(text: string): boolean {
  return /^postgres(ql)?:/i.test(text)
}

/** Reads `postgres://USER@HOST:PORT/NAME?sslmode=…&sslrootcert=FILE`; a StartFault names what is missing, and has no password. */
export function parsePostgresUrl(text: string): PostgresPlace {
  const url = parse(text)
  const part = (value: string) => decode(value)
  const user = part(url.username)
  const database = part(url.pathname.slice(1))
  const host = part(url.hostname).replace(/^\[(.*)\]$/, '$1')
  for (const [name, value] of Object.entries({ user, host, database }))
    if (value === '') throw new StartFault(`the database URL names no ${name}`, FORM)
  const port = url.port === '' ? PORT : Number(url.port)
  const password = url.password === '' ? undefined : part(url.password)
  return { host, port, user, database, password, tls: tlsOf(url.searchParams, host) }
}

/** The address for display. */
export function nameOf({ host, port, user, database }: PostgresPlace): string {
  const address = host.includes(':') ? `[${host}]` : host
  return `postgres://${user}@${address}:${port}/${database}`
}

function parse(text: string): URL {
  try {
    return new URL(text)
  } catch {
    // The cause would repeat the URL, and a password with it.
    throw new StartFault('the database URL cannot be read', FORM)
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new StartFault('the database URL has a % that begins no escape', 'write % itself as %25')
  }
}

/** Only loopback cannot be eavesdropped: any other address needs TLS unless the URL says otherwise. */
function tlsOf(parameters: URLSearchParams, host: string): PostgresPlace['tls'] {
  for (const name of parameters.keys())
    if (!PARAMETERS.includes(name))
      throw new StartFault(
        `the database URL has a parameter ${name}, which is not one of ${PARAMETERS.join(', ')}`,
      )
  const mode = parameters.get('sslmode') ?? (LOOPBACK.test(host) ? 'disable' : 'verify-full')
  if (mode === 'disable') return undefined
  if (mode !== 'verify-full')
    throw new StartFault(
      `the database URL has sslmode=${mode}, which does not authenticate the server`,
      'write sslmode=verify-full, or sslmode=disable on a trusted network',
    )
  const file = parameters.get('sslrootcert')
  return file === null ? {} : { ca: readCa(file) }
}

function readCa(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new StartFault(
      `the CA certificate ${file} of the database URL cannot be read`,
      'give the path of a PEM file as sslrootcert',
      cause,
    )
  }
}

import type { Dialect, DialectKey } from '../../dialects/dialect.ts'
import { ROUTES } from './load-routes.ts'
import type { RouteRow } from './route-row.ts'

/** Method and path of an operation, and its first and last version. */
export interface OperationRow<Name extends string = string> {
  readonly operation: Name
  readonly method: string
  readonly path: string
  readonly since: string
  readonly until?: string
  /** Values that a dialect must have for this row. */
  readonly where?: Partial<Dialect>
}

const REGISTRAR_NAMES = [
  'register',
  'activate',
  'activate-virtual',
  'list',
  'read',
  'delete',
  'probe',
] as const

const VERIFIER_NAMES = [
  'add-agent',
  'read-agent',
  'delete-agent',
  'reactivate',
  'stop',
  'create-policy',
  'read-policy',
  'list-policies',
  'delete-policy',
  'create-boot-policy',
  'read-boot-policy',
  'update-boot-policy',
  'delete-boot-policy',
  'verify-identity',
  'verify-evidence',
  'create-session',
  'complete-session',
  'negotiate',
  'submit',
  'list-attestations',
  'read-attestation',
  'probe',
] as const

export type RegistrarOperation = (typeof REGISTRAR_NAMES)[number]
export type VerifierOperation = (typeof VERIFIER_NAMES)[number]

/** Operations of the clients, from the harness's route table. */
export const REGISTRAR_OPERATIONS = operationsOf('registrar', REGISTRAR_NAMES)
export const VERIFIER_OPERATIONS = operationsOf('verifier', VERIFIER_NAMES)

function operationsOf<Name extends string>(
  component: RouteRow['component'],
  names: readonly Name[],
): readonly OperationRow<Name>[] {
  return ROUTES.filter((row) => row.component === component).flatMap((row) => {
    const operation = names.find((name) => name === row.operation)
    return operation === undefined ? [] : [{ ...spokenPart(row), operation, ...rangeOf(row) }]
  })
}

function spokenPart({ method, path, where }: RouteRow): Omit<OperationRow, 'operation' | 'since'> {
  return { method, path, ...(where && { where }) }
}

/** First and last version of a route in any reading; `until` is absent if the newest version has it. */
export function rangeOf({ since, until, either }: RouteRow): Pick<OperationRow, 'since' | 'until'> {
  const first = [since, either?.since].filter((one) => one !== undefined).toSorted(compareVersions)
  const isOpen = since !== undefined && until === undefined
  const last = [until, either?.until].filter((one) => one !== undefined).toSorted(compareVersions)
  const [begin = '1.0'] = first
  const end = isOpen ? undefined : last.at(-1)
  return end === undefined ? { since: begin } : { since: begin, until: end }
}

/**
 * Path prefixes of a version at a component: first the one that clients use, then the alternatives of other
 * readings (ambiguities V3, V20 and V10).
 */
export function prefixesOf(
  component: RouteRow['component'] | 'pull agent' | 'tenant',
  version: string,
  dialect: Partial<Pick<Dialect, 'verifier-prefix'>> = {},
): readonly string[] {
  const [major, minor] = version.split('.')
  if (minor !== '0') return [`/v${version}`]
  const [long, short] = [`/v${version}`, `/v${major}`]
  if (version === '2.0') return [short, long]
  const isShort =
    version === '3.0' && component === 'verifier' && dialect['verifier-prefix'] === 'v3'
  return isShort ? [short, long] : [long, short]
}

/** Compares versions by their numbers. */
export function compareVersions(one: string, other: string): number {
  const [a = 0, b = 0] = one.split('.').map(Number)
  const [c = 0, d = 0] = other.split('.').map(Number)
  return a - c || b - d
}

export function applies(
  row: { readonly since: string; readonly until?: string },
  version: string,
): boolean {
  const started = compareVersions(version, row.since) >= 0
  return started && (row.until === undefined || compareVersions(version, row.until) <= 0)
}

/** Whether a dialect has an operation's row. */
export function isSpoken({ where = {} }: OperationRow, dialect: Dialect): boolean {
  return Object.entries(where).every(([key, value]) => dialect[key as DialectKey] === value)
}

/**
 * Fills in a path template. Values are percent-encoded, so that every id stays one segment; half a surrogate pair in an id
 * that a subject gave becomes U+FFFD, as it has no encoding.
 */
export function fillPath(path: string, values: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(Buffer.from(String(values[name] ?? '')).toString()),
  )
}

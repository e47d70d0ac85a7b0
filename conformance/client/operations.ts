import type { Dialect, DialectKey } from './dialect.ts'

/**
 * The judge's own reading of the endpoint tables (interface document, "Endpoints"): method and path
 * of each operation by version. Independent of the reference's route table on purpose.
 */
export interface OperationRow {
  readonly operation: string
  readonly method: string
  readonly path: string
  readonly since: string
  readonly until?: string
  /** The dialects that have this row: those with these values. */
  readonly where?: Partial<Dialect>
}

export const REGISTRAR_OPERATIONS = [
  { operation: 'register', method: 'POST', path: '/agents/{agent_id}', since: '2.1', until: '2.5' },
  { operation: 'register', method: 'POST', path: '/agents/', since: '3.0' },
  {
    operation: 'activate',
    method: 'PUT',
    path: '/agents/{agent_id}/activate',
    since: '2.1',
    until: '2.5',
    where: { 'activate-path': 'activate' },
  },
  {
    operation: 'activate',
    method: 'PUT',
    path: '/agents/{agent_id}',
    since: '2.1',
    until: '2.5',
    where: { 'activate-path': 'agent' },
  },
  { operation: 'activate', method: 'POST', path: '/agents/{agent_id}/activate', since: '3.0' },
  { operation: 'list', method: 'GET', path: '/agents/', since: '2.1' },
  { operation: 'read', method: 'GET', path: '/agents/{agent_id}', since: '2.1' },
  { operation: 'delete', method: 'DELETE', path: '/agents/{agent_id}', since: '2.1' },
  { operation: 'probe', method: 'GET', path: '/', since: '3.0' },
] as const satisfies readonly OperationRow[]

export const VERIFIER_OPERATIONS = [
  {
    operation: 'add-agent',
    method: 'POST',
    path: '/agents/{agent_id}',
    since: '2.1',
    until: '2.5',
  },
  {
    operation: 'read-agent',
    method: 'GET',
    path: '/agents/{agent_id}',
    since: '2.1',
    until: '2.5',
  },
  {
    operation: 'delete-agent',
    method: 'DELETE',
    path: '/agents/{agent_id}',
    since: '2.1',
    until: '2.5',
  },
  {
    operation: 'create-policy',
    method: 'POST',
    path: '/allowlists/{name}',
    since: '2.1',
    until: '2.5',
  },
  {
    operation: 'read-policy',
    method: 'GET',
    path: '/allowlists/{name}',
    since: '2.1',
    until: '2.5',
  },
  {
    operation: 'delete-policy',
    method: 'DELETE',
    path: '/allowlist/{name}',
    since: '2.1',
    until: '2.5',
    where: { 'policy-delete-path': 'allowlist' },
  },
  {
    operation: 'delete-policy',
    method: 'DELETE',
    path: '/allowlists/{name}',
    since: '2.1',
    until: '2.5',
    where: { 'policy-delete-path': 'allowlists' },
  },
  {
    operation: 'verify-evidence',
    method: 'POST',
    path: '/verify/evidence',
    since: '2.4',
    until: '2.5',
  },
  { operation: 'create-session', method: 'POST', path: '/sessions', since: '3.0' },
  { operation: 'complete-session', method: 'PATCH', path: '/sessions/{session_id}', since: '3.0' },
  { operation: 'negotiate', method: 'POST', path: '/agents/{agent_id}/attestations', since: '3.0' },
  {
    operation: 'submit',
    method: 'PATCH',
    path: '/agents/{agent_id}/attestations/{index}',
    since: '3.0',
  },
  {
    operation: 'list-attestations',
    method: 'GET',
    path: '/agents/{agent_id}/attestations',
    since: '3.0',
  },
  {
    operation: 'read-attestation',
    method: 'GET',
    path: '/agents/{agent_id}/attestations/{index}',
    since: '3.0',
  },
] as const satisfies readonly OperationRow[]

/** Newest version first does not matter here: versions compare by their numbers. */
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

/** Fills a path; values are percent-encoded, so that an odd id stays one segment. */
export function fillPath(path: string, values: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
}

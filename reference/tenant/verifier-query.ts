import type { TenantOptions } from './options.ts'

/** The query of a question about all agents: those of one verifier where several share a database. */
export function verifierQuery(
  { cvid }: TenantOptions,
  more: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams({ ...more, ...(cvid !== undefined && { verifier: cvid }) })
  return query.size === 0 ? '' : `?${query}`
}

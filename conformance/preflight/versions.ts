import type { ServiceRole } from '../target/target.ts'
import { type Ask, isAccepted, isUnknownRoute, statusOf } from './ask.ts'
import { adminQuestion, sessionQuestion } from './routes.ts'

/** Every version that a target file may name. */
export const KNOWN_VERSIONS = ['1.0', '2.0', '2.1', '2.2', '2.3', '2.4', '2.5', '3.0'] as const

/** Normalizes `3`, `v3` and `v3.0` to `3.0`. */
function plainVersion(version: string): string {
  const plain = version.replace(/^v/, '')
  return /^\d+$/.test(plain) ? `${plain}.0` : plain
}

function listIn(body: unknown): readonly string[] | undefined {
  const listed: unknown =
    Object(Object(body).results).supported_versions ?? Object(body).supported_versions
  if (!Array.isArray(listed) || listed.length === 0) return undefined
  if (!listed.every((version) => typeof version === 'string')) return undefined
  return listed.map(plainVersion)
}

/** The versions that a server advertises at `/version` or `/versions`; undefined without a readable list. */
export async function advertisedVersions(
  ask: Ask,
  url: string,
): Promise<readonly string[] | undefined> {
  for (const path of ['/version', '/versions']) {
    const answer = await ask({ method: 'GET', url: url + path, as: 'anonymous' })
    const seen =
      statusOf(answer) > 0 ? answer : await ask({ method: 'GET', url: url + path, as: 'admin' })
    const listed = seen.kind === 'answered' && seen.status === 200 ? listIn(seen.body) : undefined
    if (listed !== undefined) return listed
  }
  return undefined
}

/** True if a verifier knows the route that opens push sessions. */
export async function hasPushRoutes(ask: Ask, url: string): Promise<boolean> {
  const answer = await ask(sessionQuestion(url))
  return isAccepted(answer) || [400, 409, 415, 422, 429].includes(statusOf(answer))
}

/** True if a role clearly serves a version, advertised or not. */
export async function servesVersion(
  ask: Ask,
  role: ServiceRole,
  url: string,
  version: string,
): Promise<boolean> {
  if (role === 'verifier' && version === '3.0') return await hasPushRoutes(ask, url)
  return isAccepted(await ask(adminQuestion(role, url, version)))
}

/** True if a verifier reports that it has no push routes. */
export async function lacksPushRoutes(ask: Ask, url: string): Promise<boolean> {
  return isUnknownRoute(await ask(sessionQuestion(url)))
}

import type { ServiceRole } from '../target/target.ts'
import type { Question } from './ask.ts'

/** An unregistered agent id: a request for it changes nothing. */
const UNREGISTERED_ID = '00000000-0000-4000-8000-000000000000'

/** The highest pull version among `versions`; undefined if there is none. */
export function pullVersion(versions: readonly string[]): string | undefined {
  return versions
    .filter((version) => version !== '3.0')
    .toSorted()
    .at(-1)
}

/** A request that needs an administrator and changes nothing. */
export function adminQuestion(role: ServiceRole, url: string, version: string): Question {
  if (role === 'registrar') return { method: 'GET', url: `${url}/v${version}/agents/`, as: 'admin' }
  const path =
    version === '3.0' ? `/v3/agents/${UNREGISTERED_ID}/attestations` : `/v${version}/allowlists/`
  return { method: 'GET', url: url + path, as: 'admin' }
}

/**
 * The session request of a push agent without its members: a push verifier rejects it, other servers do not know the
 * route.
 */
export function sessionQuestion(url: string): Question {
  return { method: 'POST', url: `${url}/v3/sessions`, as: 'anonymous', body: {} }
}

/** A request that only a verifier answers, under the versions to be tested. */
export function verifierQuestion(url: string, versions: readonly string[]): Question {
  const version = pullVersion(versions)
  return version === undefined ? sessionQuestion(url) : adminQuestion('verifier', url, version)
}

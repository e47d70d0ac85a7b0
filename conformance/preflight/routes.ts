import type { ServiceRole } from '../target/target.ts'
import type { Question } from './ask.ts'

/** An agent that nobody has registered: reading it changes nothing. */
const NOBODYS_ID = '00000000-0000-4000-8000-000000000000'

/** The highest version of the pull interface among `versions`; undefined when there is none. */
export function pullVersion(versions: readonly string[]): string | undefined {
  return versions
    .filter((version) => version !== '3.0')
    .toSorted()
    .at(-1)
}

/** A question that only an administrator may ask of a role, and that changes nothing. */
export function adminQuestion(role: ServiceRole, url: string, version: string): Question {
  if (role === 'registrar') return { method: 'GET', url: `${url}/v${version}/agents/`, as: 'admin' }
  const path =
    version === '3.0' ? `/v3/agents/${NOBODYS_ID}/attestations` : `/v${version}/allowlists/`
  return { method: 'GET', url: url + path, as: 'admin' }
}

/** The request that opens a push agent's session, without its members: a push verifier refuses it, others do not know it. */
export function sessionQuestion(url: string): Question {
  return { method: 'POST', url: `${url}/v3/sessions`, as: 'anonymous', body: {} }
}

/** A question that only a verifier can answer, in the terms of the versions to be judged. */
export function verifierQuestion(url: string, versions: readonly string[]): Question {
  const version = pullVersion(versions)
  return version === undefined ? sessionQuestion(url) : adminQuestion('verifier', url, version)
}

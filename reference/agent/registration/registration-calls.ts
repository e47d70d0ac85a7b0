import type { Method } from '../../api/routes/route.ts'
import { type ApiVersion, isWithin, prefixesOf, type VersionRange } from '../../api/versions.ts'

type Step = 'register' | 'activate' | 'vactivate'

/** How a step is asked for in some versions; `:agent_id` in a path is the agent's. */
interface RegistrationCall extends Partial<VersionRange> {
  readonly step: Step
  readonly method: Method
  readonly path: string
}

/** Interface document, "Endpoints / Registrar". */
const REGISTRATION_CALLS: readonly RegistrationCall[] = [
  { step: 'register', until: '2.6', method: 'POST', path: '/agents/:agent_id' },
  { step: 'register', since: '3.0', method: 'POST', path: '/agents/' },
  { step: 'activate', until: '2.6', method: 'PUT', path: '/agents/:agent_id/activate' },
  { step: 'vactivate', until: '2.0', method: 'PUT', path: '/agents/:agent_id/vactivate' },
  { step: 'activate', since: '3.0', method: 'POST', path: '/agents/:agent_id/activate' },
]

/** Whether an agent with a virtual TPM can activate by a deep quote. */
export function hasDeepActivation(version: ApiVersion): boolean {
  return REGISTRATION_CALLS.some((one) => one.step === 'vactivate' && isWithin(version, one))
}

/** Method and path of a step. */
export function callFor(
  step: Step,
  version: ApiVersion,
  agentId: string,
): { readonly method: Method; readonly path: string } {
  const call = REGISTRATION_CALLS.find((one) => one.step === step && isWithin(version, one))
  if (call === undefined) throw new TypeError(`no row of the table has ${step} in ${version}`)
  const below = call.path.replace(':agent_id', encodeURIComponent(agentId))
  return { method: call.method, path: `${prefixesOf(version)[0]}${below}` }
}

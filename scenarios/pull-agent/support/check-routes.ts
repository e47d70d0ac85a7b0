import type { PullAgent } from '../../../conformance/peers/pull-agent.ts'
import type { Context } from '../../../conformance/scenario.ts'
import { registrarStepOf } from '../../../simulator/services/registrar-truth.ts'

/** Checks the routes by which an agent registered and activated: those of the version of its registration. */
export function checkRoutes(
  { check }: Pick<Context, 'check'>,
  { id, registrar, registration: { version } }: PullAgent,
): void {
  const routeOf = (step: string) => {
    const { method, url = '' } =
      registrar.exchanges
        .map(({ request }) => request)
        .findLast((one) => registrarStepOf(one)?.name === step) ?? {}
    return `${method} ${url.replace(/^\/v3\//, '/v3.0/').replace(/\/$/, '')}`
  }
  const [agents, isNew] = [`/v${version}/agents`, version === '3.0']
  const isRegistered = check('AGT-REG-ID', 'the route of its registration')
    .of(routeOf('register'))
    .is(`POST ${agents}${isNew ? '' : `/${id}`}`)
  if (isRegistered)
    check('AGT-REG-ACTIVATES', 'the route of its activation')
      .of(routeOf('activate'))
      .is(`${isNew ? 'POST' : 'PUT'} ${agents}/${id}/activate`)
}

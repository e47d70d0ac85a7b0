import { at, type Context, type Scenario } from '../../../conformance/scenario.ts'

const TOLD_TO_WAIT: readonly (number | undefined)[] = [429, 503]

/** A scenario in which an agent offers its capabilities right after a verdict. */
export function earlyScenario(
  id: string,
  title: string,
  settings?: Scenario['settings'],
): Scenario {
  return {
    ...{ id, title, requirements: ['ATT-EARLY'], role: 'verifier', since: '3.0' },
    ...(settings && { settings, seconds: 3 }),
    run: returnEarly,
  }
}

async function returnEarly({ machines, check, elapse, observe }: Context): Promise<void> {
  const agent = await machines.softAgent()
  const negotiation = await agent.negotiate()
  const submitted = await agent.submit(negotiation)
  await agent.verdict(negotiation)
  await agent.logIn()
  const early = await agent.offer(agent.credentials)
  const { status, headers } = early
  observe('INTERVAL', 'status of capabilities right after a verdict', status)
  check('ATT-EARLY', 'answer')
    .of(early)
    .meets({
      accepted: (reply) => reply.status === 201,
      'the time to retry': (reply) =>
        TOLD_TO_WAIT.includes(reply.status) && /^\d+$/.test(headers['retry-after'] ?? ''),
    })
  if (!TOLD_TO_WAIT.includes(status)) return
  const seconds = Number(headers['retry-after'])
  observe('INTERVAL', 'Retry-After', seconds)
  const suggested = Number(at(submitted.body, 'meta', 'seconds_to_next_attestation'))
  check('ATT-EARLY', 'seconds of Retry-After')
    .of(seconds)
    .matches(`at most the ${suggested} that the verifier suggested`, (one) => one <= suggested)
  await elapse(seconds * 1000, 'an agent that comes early has to wait for')
  await agent.logIn()
  check('ATT-EARLY', 'HTTP status after the stated delay')
    .of((await agent.offer(agent.credentials)).status)
    .is(201)
}

import { scenario } from '../../../conformance/scenario.ts'

const TOLD_TO_WAIT: readonly (number | undefined)[] = [429, 503]

export default scenario({
  id: 'push.attestation.early',
  title: 'The verifier accepts an agent that returns too early, or answers with the time to return',
  requirements: ['ATT-EARLY'],
  role: 'verifier',
  since: '3.0',
  async run({ machines, check, elapse, observe }) {
    const agent = await machines.softAgent()
    await agent.attest()
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
    observe('INTERVAL', 'Retry-After', headers['retry-after'])
    await elapse(Number(headers['retry-after']) * 1000, 'an agent that comes early has to wait for')
    await agent.logIn()
    check('ATT-EARLY', 'HTTP status after the stated delay')
      .of((await agent.offer(agent.credentials)).status)
      .is(201)
  },
})

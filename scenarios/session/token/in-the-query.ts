import { ANONYMOUS, REFUSED, scenario } from '../../../conformance/scenario.ts'
import { bearing, tokenOf } from '../support/engine.ts'

export default scenario({
  id: 'session.token-in-the-query',
  title:
    'The verifier reads a token from its header, in capital letters too, and not from the query or another header',
  requirements: ['SES-TOKEN-WORKS', 'SES-TOKEN-HEADER'],
  role: 'verifier',
  since: '3.0',
  variantOf: 'session.proof-accepted',
  async run({ verifier, machines, check }) {
    const agent = await machines.pushAgent({ until: 'enrolled' })
    const token = tokenOf(await agent.proveSession(await agent.openSession()))
    check('SES-TOKEN-WORKS', 'HTTP status of the capabilities POST with the token in its header')
      .of((await agent.offer(bearing(token))).status)
      .is(201)
    const request = { as: ANONYMOUS, params: { agent_id: agent.id }, body: agent.capabilities() }
    for (const name of ['Authorization', 'AUTHORIZATION']) {
      const headers = { [name]: `Bearer ${token}` }
      check('SES-TOKEN-HEADER', `HTTP status of the capabilities POST with the header ${name}`)
        .of((await verifier.call('negotiate', { ...request, headers })).status)
        .is(201)
    }
    for (const name of ['token', 'access_token', 'authorization'])
      check('SES-TOKEN-HEADER', `capabilities POST with ${name} in the query`)
        .of(await verifier.call('negotiate', { ...request, query: `${name}=${token}` })) // the defect
        .matches(...REFUSED)
    for (const name of ['proxy-authorization', 'x-authorization', 'cookie'])
      check('SES-TOKEN-HEADER', `capabilities POST with the header ${name}`)
        .of(
          await verifier.call('negotiate', { ...request, headers: { [name]: `Bearer ${token}` } }),
        )
        .matches(...REFUSED)
  },
})

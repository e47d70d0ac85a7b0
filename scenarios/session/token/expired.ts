import { attributes, REFUSED, scenario } from '../../../conformance/scenario.ts'
import { bearing, tokenOf } from '../support/engine.ts'

export default scenario({
  id: 'session.token-expired',
  title: 'The verifier accepts a token until it expires, and rejects it afterwards',
  requirements: ['SES-TOKEN-WORKS', 'SES-TOKEN-ENDS'],
  role: 'verifier',
  since: '3.0',
  variantOf: 'session.proof-accepted',
  async run({ machines, check, elapse }) {
    const agent = await machines.pushAgent({ until: 'enrolled' })
    const proven = await agent.proveSession(await agent.openSession())
    const credentials = bearing(tokenOf(proven))
    check('SES-TOKEN-WORKS', 'HTTP status of the capabilities POST')
      .of((await agent.offer(credentials)).status)
      .is(201)
    const [from, to] = ['response_received_at', 'token_expires_at'].map((name) =>
      Date.parse(String(attributes(proven, name))),
    )
    await elapse(Number(to) - Number(from), 'a token lives for') // the defect
    check('SES-TOKEN-ENDS', 'capabilities POST after the expiry of the token')
      .of(await agent.offer(credentials))
      .matches(...REFUSED)
  },
})

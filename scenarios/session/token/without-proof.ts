import { at, REFUSED, scenario } from '../../../conformance/scenario.ts'
import { bearing } from '../support/engine.ts'

export default scenario({
  id: 'session.token-without-proof',
  title:
    'The verifier issues no token for a session without a valid proof, with any secret after its id',
  requirements: ['SES-TOKEN-ONLY-AFTER-PROOF'],
  role: 'verifier',
  since: '3.0',
  variantOf: 'session.proof-accepted',
  async run({ machines, random, check }) {
    const agent = await machines.pushAgent({ until: 'enrolled' })
    const session = await agent.openSession()
    const id = String(at(session.body, 'data', 'id'))
    const secret = Buffer.from(random.bytes(32)).toString('base64url')
    const tokens = [id, `${id}.`, `${id}.null`, `${id}.${secret}`] // the defect
    for (const token of tokens)
      check('SES-TOKEN-ONLY-AFTER-PROOF', 'capabilities POST before the proof')
        .of(await agent.offer(bearing(token)))
        .matches(...REFUSED)
    await agent.proveSession(session, { challenge: random.bytes(16) })
    for (const token of tokens)
      check('SES-TOKEN-ONLY-AFTER-PROOF', 'capabilities POST after a proof that failed')
        .of(await agent.offer(bearing(token)))
        .matches(...REFUSED)
  },
})

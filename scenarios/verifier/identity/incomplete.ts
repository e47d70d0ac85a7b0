import { scenario } from '../../../conformance/scenario.ts'
import { answerIn, identityQuery, identityQuote, NOT_VALID } from '../support/engine.ts'

const NONCE = 'Vt5g9KqW2yRn7XbC4mJa'

export default scenario({
  id: 'verifier.identity.incomplete',
  title: 'The verifier answers verify/identity without a parameter or for an unknown agent',
  requirements: ['VER-IDENTITY-INCOMPLETE', 'VER-IDENTITY-UNKNOWN-AGENT'],
  role: 'verifier',
  since: '2.2',
  until: '2.5',
  async run({ verifier, machines, random, check, observe }) {
    const { id: agent_uuid, machine } = await machines.pushAgent({ until: 'enrolled' })
    const claim = { agent_uuid, nonce: NONCE, quote: await identityQuote(machine, NONCE) }
    const whole = identityQuery(claim).split('&')
    for (const left of whole) {
      const query = whole.filter((one) => one !== left).join('&')
      const reply = await verifier.call('verify-identity', { as: verifier.admin, query })
      const [name] = left.split('=')
      observe('verify/identity', `status without ${name}`, reply.status)
      check('VER-IDENTITY-INCOMPLETE', `valid without ${name}`)
        .of(answerIn(reply))
        .matches(...NOT_VALID)
    }
    const reply = await verifier.verifyIdentity({ ...claim, agent_uuid: random.uuid() })
    observe('verify/identity', 'status of an agent that was never added', reply.status)
  },
})

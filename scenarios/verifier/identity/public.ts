import { ANONYMOUS, isRefusal, results, scenario } from '../../../conformance/scenario.ts'
import { identityQuote } from '../support/engine.ts'

const NONCE = 'Vt5g9KqW2yRn7XbC4mJa'

export default scenario({
  id: 'verifier.identity.public',
  title: 'The verifier evaluates an identity for a client without credentials',
  requirements: ['AUT-IDENTITY-ANONYMOUS', 'AUT-PUBLIC-BEFORE-25'],
  role: 'verifier',
  since: '2.2',
  until: '2.5',
  async run({ verifier, machines, version, check, observe }) {
    const { id: agent_uuid, machine } = await machines.pushAgent({ until: 'enrolled' })
    const quote = await identityQuote(machine, NONCE)
    const reply = await verifier.verifyIdentity(
      { agent_uuid, nonce: NONCE, quote },
      { as: ANONYMOUS },
    )
    observe('PUBVERS', 'HTTP status without credentials', reply.status ?? reply.failure)
    if (version !== '2.5') {
      check('AUT-PUBLIC-BEFORE-25', 'the answer')
        .of(reply)
        .meets({ served: () => results(reply, 'valid') === 1, refused: isRefusal })
      return
    }
    check('AUT-IDENTITY-ANONYMOUS', 'HTTP status').of(reply.status).is(200)
    check('AUT-IDENTITY-ANONYMOUS', 'valid').of(results(reply, 'valid')).isOneOf([1, true])
  },
})

import { results, scenario } from '../../../conformance/scenario.ts'
import { identityQuote } from '../support/engine.ts'

const NONCE = 'Vt5g9KqW2yRn7XbC4mJa'

export default scenario({
  id: 'verifier.identity.valid',
  title: 'The verifier accepts a quote of an agent over the nonce as its identity',
  requirements: [
    'VER-IDENTITY-STATUS',
    'VER-IDENTITY-GOOD',
    'VER-IDENTITY-VALID-INTEGER',
    'VER-IDENTITY-VALID-25',
  ],
  role: 'verifier',
  since: '2.2',
  until: '2.5',
  async run({ verifier, machines, version, check }) {
    const { id: agent_uuid, machine } = await machines.pushAgent({ until: 'enrolled' })
    const quote = await identityQuote(machine, NONCE)
    const reply = await verifier.verifyIdentity({ agent_uuid, nonce: NONCE, quote })
    check('VER-IDENTITY-STATUS', 'HTTP status').of(reply.status).is(200)
    const valid = results(reply, 'valid')
    check('VER-IDENTITY-GOOD', 'valid').of(valid).isOneOf([1, true])
    if (version === '2.5')
      check('VER-IDENTITY-VALID-25', 'valid')
        .of(valid)
        .meets({ integer: (value) => value === 1, boolean: (value) => value === true })
    else check('VER-IDENTITY-VALID-INTEGER', 'valid').of(valid).is(1)
  },
})

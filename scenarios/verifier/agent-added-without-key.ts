import { results, scenario } from '../../conformance/scenario.ts'
import { identityQuery, identityQuote } from './support/engine.ts'

const NONCE = 'Vt5g9KqW2yRn7XbC4mJa'

export default scenario({
  id: 'verifier.agent-added-without-key',
  title:
    'The verifier adds an agent without its key before 2.1, and takes the key from the registrar',
  requirements: ['VER-ADD-KEY-OF-REGISTRAR'],
  role: 'verifier',
  since: '2.0',
  until: '2.0',
  async run({ registrar, verifier, machines, check, observe }) {
    const first = await machines.lightAgent({ until: 'activated', withoutKey: true })
    const added = await first.enrol()
    check('VER-ADD-KEY-OF-REGISTRAR', 'HTTP status').of(added.status).is(200)
    const seen = await verifier.readAgent(first.id)
    check('VER-ADD-KEY-OF-REGISTRAR', 'whether its record is served')
      .of(results(seen, 'operational_state') !== undefined)
      .is(true)
    const isIdentity = async ({ id: agent_uuid, machine }: typeof first) => {
      const quote = await identityQuote(machine, NONCE)
      const query = identityQuery({ agent_uuid, nonce: NONCE, quote })
      const reply = await verifier.get(`/v2.2/verify/identity?${query}`, { as: verifier.admin })
      return results(reply, 'valid') === 1
    }
    const isServed = await isIdentity(first)
    observe('VER-ADD-KEY-OF-REGISTRAR', 'whether 2.2 accepts a quote by the key', isServed)
    await verifier.deleteAgent(first.id)
    await registrar.delete(first.id, verifier.admin)
    const options = { id: first.id, until: 'activated', withoutKey: true } as const
    const again = await machines.lightAgent(options)
    await again.enrol()
    check('VER-ADD-KEY-OF-REGISTRAR', 'whether a quote by the key of its new registration is valid')
      .of(await isIdentity(again))
      .is(isServed)
  },
})

import { base64, results, scenario } from '../../../conformance/scenario.ts'
import { identityQuery, identityQuote } from '../support/engine.ts'

const NONCE = 'Vt5g9KqW2yRn7XbC4mJa'
const VALID = [1, true]
const INVALID = [0, false, undefined]

export default scenario({
  id: 'verifier.identity.added-again',
  title: 'The verifier evaluates identities by the key with which an agent was added last',
  requirements: [
    ...['VER-IDENTITY-GOOD', 'VER-IDENTITY-OTHER-KEY', 'VER-IDENTITY-OTHER-AGENT'],
    ...['VER-IDENTITY-UNKNOWN-AGENT', 'VER-ADD-AK-RULES'],
  ],
  role: 'verifier',
  since: '2.2',
  until: '2.5',
  variantOf: 'verifier.identity.valid',
  async run({ verifier, machines, check }) {
    const [agent, other] = [
      await machines.lightAgent({ until: 'activated' }),
      await machines.lightAgent({ until: 'enrolled' }),
    ]
    const validOf = async (agent_uuid: string, { machine }: typeof other) => {
      const quote = await identityQuote(machine, NONCE)
      const query = identityQuery({ agent_uuid, nonce: NONCE, quote })
      return results(await verifier.call('verify-identity', { as: verifier.admin, query }), 'valid')
    }
    const third = await machines.lightAgent({ until: 'booted' })
    await agent.enrol({ ak_tpm: base64(third.machine.ak.public) })
    for (const requirement of ['VER-IDENTITY-GOOD', 'VER-ADD-AK-RULES'])
      check(requirement, 'valid by the key of its request')
        .of(await validOf(agent.id, third))
        .isOneOf(VALID)
    check('VER-ADD-AK-RULES', 'valid by the key of its registration')
      .of(await validOf(agent.id, agent)) // the defect
      .isOneOf(INVALID)
    check('VER-IDENTITY-GOOD', 'valid of another agent')
      .of(await validOf(other.id, other))
      .isOneOf(VALID)
    check('VER-IDENTITY-OTHER-AGENT', 'valid of another agent by the key of the first')
      .of(await validOf(other.id, third))
      .isOneOf(INVALID)
    await verifier.deleteAgent(agent.id)
    check('VER-IDENTITY-UNKNOWN-AGENT', 'valid after its deletion')
      .of(await validOf(agent.id, third))
      .isOneOf(INVALID)
    await agent.enrol()
    check('VER-IDENTITY-OTHER-KEY', 'valid by the key that it was added with before')
      .of(await validOf(agent.id, third))
      .isOneOf(INVALID)
    check('VER-IDENTITY-GOOD', 'valid by the key that it was added with again')
      .of(await validOf(agent.id, agent))
      .isOneOf(VALID)
  },
})

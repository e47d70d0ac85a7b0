import { base64, scenario } from '../../../conformance/scenario.ts'
import { answerIn, identityQuote, NOT_VALID } from '../support/engine.ts'

const NONCE = 'Vt5g9KqW2yRn7XbC4mJa'

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
    const answerTo = async (agent_uuid: string, { machine }: typeof other) => {
      const quote = await identityQuote(machine, NONCE)
      return answerIn(await verifier.verifyIdentity({ agent_uuid, nonce: NONCE, quote }))
    }
    const third = await machines.lightAgent({ until: 'booted' })
    await agent.enrol({ ak_tpm: base64(third.machine.ak.public) })
    for (const requirement of ['VER-IDENTITY-GOOD', 'VER-ADD-AK-RULES'])
      check(requirement, 'valid by the key of its request')
        .of(await answerTo(agent.id, third))
        .is(true)
    const judged = check(
      'VER-IDENTITY-OTHER-AGENT',
      'valid of another agent by the key of the first',
    )
      .of(await answerTo(other.id, third))
      .matches(...NOT_VALID)
    if (!judged) return
    check('VER-ADD-AK-RULES', 'valid by the key of its registration')
      .of(await answerTo(agent.id, agent)) // the defect
      .matches(...NOT_VALID)
    check('VER-IDENTITY-GOOD', 'valid of another agent')
      .of(await answerTo(other.id, other))
      .is(true)
    await verifier.deleteAgent(agent.id)
    check('VER-IDENTITY-UNKNOWN-AGENT', 'valid after its deletion')
      .of(await answerTo(agent.id, third))
      .matches(...NOT_VALID)
    await agent.enrol()
    check('VER-IDENTITY-OTHER-KEY', 'valid by the key that it was added with before')
      .of(await answerTo(agent.id, third))
      .matches(...NOT_VALID)
    check('VER-IDENTITY-GOOD', 'valid by the key that it was added with again')
      .of(await answerTo(agent.id, agent))
      .is(true)
  },
})

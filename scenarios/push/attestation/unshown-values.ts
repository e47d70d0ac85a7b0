import { at, attributes, listOf, scenario } from '../../../conformance/scenario.ts'
import { attestationIndex } from '../support/engine.ts'

export default scenario({
  id: 'push.attestation.unshown-values',
  title: 'The verifier chooses order, lifetime and encoding where the document leaves them open',
  requirements: [
    'ATT-CREATE-ENROLMENT',
    'ATT-LIST-ORDER',
    'ATT-DEADLINE-DEFAULT',
    'ATT-QUOTE-QUALIFYING-DATA',
  ],
  role: 'verifier',
  since: '3.0',
  async run({ verifier, machines, check, observe }) {
    const agent = await machines.softAgent()
    const [first, last] = [await agent.negotiate(), await agent.negotiate()]
    check('ATT-CREATE-ENROLMENT', 'status once an administrator added the agent')
      .of(first.reply.status)
      .is(201)
    const params = { agent_id: agent.id }
    const list = await verifier.call('list-attestations', { params, as: verifier.admin })
    check('ATT-LIST-ORDER', 'indexes in the order of the list')
      .of(listOf(at(list.body, 'data'))?.map(attestationIndex))
      .is([first.index, last.index])
    const [from, to] = ['capabilities_received_at', 'challenges_expire_at'].map((name) =>
      Date.parse(String(attributes(last.reply, name))),
    )
    const lives = (Number(to) - Number(from)) / 1000
    check('ATT-DEADLINE-DEFAULT', 'seconds that a challenge lives')
      .of(lives)
      .matches('some', (seconds) => seconds > 0)
    await agent.submit(last)
    const form = verifier.dialect['challenge-bytes']
    observe('NONCEENC', 'encoding of the quoted challenge', form)
    check('ATT-QUOTE-QUALIFYING-DATA', `evaluation of a quote over the challenge, ${form}`)
      .of(attributes(await agent.verdict(last), 'evaluation'))
      .is('pass')
  },
})

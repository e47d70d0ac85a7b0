import { scenario } from '../../conformance/scenario.ts'
import { stepsOf } from './support/engine.ts'

export default scenario({
  id: 'push-agent.capitals',
  title:
    'A push agent whose UUID has capital letters answers the challenge for the id that it sent, and attests under it',
  requirements: [
    ...['PSH-ACTIVATES-TAG', 'PSH-SESSION-AGENT-ID', 'PSH-NEGOTIATES-ROUTE', 'PSH-EVIDENCE-ROUTE'],
  ],
  role: 'push_agent',
  seconds: 3,
  since: '3.0',
  variantOf: 'push-agent.registered',
  async run({ pushAgents, check, notApplicable }) {
    const agent = await pushAgents.start({ capitals: true }) // the difference
    const { id, registrar, process } = agent
    const isAnswered = () => stepsOf(agent.operations, 'activate').length > 0
    await agent.until(() => isAnswered() || process.exitReason() !== undefined)
    if (!isAnswered()) notApplicable('the agent does not register with such a UUID')
    // An agent may write its UUID in small letters, and then does so in the tag too.
    const { activated } =
      registrar.registrationOf(id) ?? registrar.registrationOf(id.toLowerCase()) ?? {}
    check('PSH-ACTIVATES-TAG', 'the form of the challenge that keyed the tag')
      .of(activated)
      .isOneOf(['base64', 'raw'])
    const own = registrar.registrationOf(id) === undefined ? id.toLowerCase() : id
    await agent.took('evidence')
    for (const { step, request } of agent.operations) {
      if (step === 'session')
        check('PSH-SESSION-AGENT-ID', 'agent_id').of(request.body.includes(own)).is(true)
      if (step === 'capabilities')
        check('PSH-NEGOTIATES-ROUTE', 'offers to its own attestations')
          .of(request.url)
          .matches('the id that it registered', (url) => url.includes(own))
      if (step === 'evidence')
        check('PSH-EVIDENCE-ROUTE', 'evidence to its own attestations')
          .of(request.url)
          .matches('the id that it registered', (url) => url.includes(own))
    }
  },
})

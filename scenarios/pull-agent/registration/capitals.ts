import { scenario } from '../../../conformance/scenario.ts'
import { registrarStepOf } from '../support/engine.ts'

export default scenario({
  id: 'pull-agent.registration.capitals',
  title:
    'A pull agent whose UUID has capital letters answers the challenge for the id that it sent',
  requirements: ['AGT-REG-ACTIVATES'],
  role: 'pull_agent',
  seconds: 3,
  since: '2.1',
  until: '2.5',
  perMajor: true,
  variantOf: 'pull-agent.registration.record',
  async run({ pullAgents, until, check, notApplicable }) {
    const { id, registrar, process } = await pullAgents.start({ capitals: true }) // the difference
    const { exitReason, withinMs } = process
    const isAnswered = () =>
      registrar.exchanges.some(({ request }) => registrarStepOf(request)?.name === 'activate')
    await until(() => isAnswered() || exitReason() !== undefined, { withinMs })
    if (!isAnswered()) notApplicable('the agent does not register with such a UUID')
    // An agent may write its UUID in small letters, and then does so in the tag too.
    const { activated } =
      registrar.registrationOf(id) ?? registrar.registrationOf(id.toLowerCase()) ?? {}
    check('AGT-REG-ACTIVATES', 'the answer to the challenge')
      .of(activated)
      .isOneOf(['base64', 'raw'])
  },
})

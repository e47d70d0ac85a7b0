import { results, scenario } from '../../../conformance/scenario.ts'
import {
  awaitDerived,
  makeBootstrapKeys,
  publicKeyOf,
  registrarStepOf,
  ukeyBody,
  vkeyBody,
} from '../support/engine.ts'

export default scenario({
  id: 'pull-agent.registration.capitals',
  title:
    'A pull agent whose UUID has capital letters answers the challenge for the id that it sent, and has it in its info and its keys',
  requirements: ['AGT-REG-ACTIVATES', 'AGT-INFO-UUID-SAME', 'AGT-UKEY-AUTH-TAG-HMAC'],
  role: 'pull_agent',
  seconds: 3,
  since: '2.1',
  until: '2.5',
  perMajor: true,
  variantOf: 'pull-agent.registration.record',
  async run({ pullAgents, random, version, until, check, notApplicable }) {
    const started = await pullAgents.start({ capitals: true }) // the difference
    const { id, registrar, process } = started
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
    if (registrar.registrationOf(id) === undefined) return
    const agent = await pullAgents.connect(started)
    if (version !== '2.1')
      check('AGT-INFO-UUID-SAME', 'agent_uuid')
        .of(results(await agent.call('info'), 'agent_uuid'))
        .is(id)
    const [publicKey, keys] = [await publicKeyOf(agent), makeBootstrapKeys(agent)]
    await agent.call('vkey', { body: vkeyBody(publicKey, keys) })
    await agent.call('ukey', { body: ukeyBody(publicKey, keys, id) })
    check('AGT-UKEY-AUTH-TAG-HMAC', 'K of a U key whose tag is over the registered id')
      .of((await awaitDerived(agent, keys, random)).derived)
      .is(true)
  },
})

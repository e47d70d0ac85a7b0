import { scenario } from '../../../conformance/scenario.ts'
import { awaitPayload } from '../support/agent-payload.ts'
import {
  makeBootstrapKeys,
  publicKeyOf,
  sealPayload,
  ukeyBody,
  vkeyBody,
} from '../support/engine.ts'
import { agentOfVersion } from '../support/legacy-agent.ts'

export default scenario({
  id: 'pull-agent.legacy.payload',
  title: 'A pull agent of API 2.0 takes a payload with the U key, and delivers it',
  requirements: ['LEG-AGT-UKEY-PAYLOAD'],
  role: 'pull_agent',
  since: '2.0',
  until: '2.0',
  async run(context) {
    const { random, check } = context
    const agent = await agentOfVersion(context)
    const [publicKey, keys] = [await publicKeyOf(agent), makeBootstrapKeys(agent)]
    const text = `a payload of the harness: ${random.uuid()}\n`
    const payload = sealPayload(keys, new TextEncoder().encode(text))
    const body = { ...ukeyBody(publicKey, keys, agent.id), payload }
    const { status } = await agent.call('ukey', { body })
    check('LEG-AGT-UKEY-PAYLOAD', 'HTTP status of the U key').of(status).is(200)
    await agent.call('vkey', { body: vkeyBody(publicKey, keys) })
    check('LEG-AGT-UKEY-PAYLOAD', 'whether the payload was delivered')
      .of(await awaitPayload(agent, text))
      .is(true)
  },
})

import { scenario } from '../../../conformance/scenario.ts'
import { awaitPayload, sendPayload } from '../support/agent-payload.ts'
import { giveKeys, makeBootstrapKeys } from '../support/engine.ts'

const ORDERS = [
  ['ukey', 'vkey'],
  ['vkey', 'ukey'],
] as const

export default scenario({
  id: 'pull-agent.keys.payload-of-another-key',
  title: 'A pull agent does not deliver a payload encrypted with another key',
  requirements: ['AGT-UKEY-PAYLOAD-OTHER-KEY'],
  role: 'pull_agent',
  since: '2.1',
  until: '2.5',
  perMajor: true,
  variantOf: 'pull-agent.keys.payload-delivered',
  async run({ pullAgents, random, check }) {
    const agent = await pullAgents.shared()
    for (const order of ORDERS) {
      const good = `a payload of the harness: ${random.uuid()}\n`
      await sendPayload(agent, good, { order })
      await awaitPayload(agent, good)
      const sealedBy = makeBootstrapKeys(agent)
      await sendPayload(agent, 'a payload of another client\n', { order, sealedBy }) // the defect
      // The agent joins the pairs in order, so a later pair shows that the earlier one was processed.
      await giveKeys(agent, makeBootstrapKeys(agent), random)
      check('AGT-UKEY-PAYLOAD-OTHER-KEY', `the delivered payload, ${order[0]} first`)
        .of(agent.payload())
        .isOneOf([good, undefined])
    }
  },
})

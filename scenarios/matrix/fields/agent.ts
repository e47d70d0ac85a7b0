import { jsonIn, results, scenario } from '../../../conformance/scenario.ts'
import { isObject } from '../support/engine.ts'
import { fieldsOf } from '../support/fields-part.ts'

export default scenario({
  id: 'matrix.fields.agent',
  title: 'The verifier returns the status record of an agent with the members of the document',
  ...fieldsOf([
    'verifier.add-agent',
    'verifier.read-agent',
    'verifier.stop',
    'verifier.reactivate',
    'verifier.delete-agent',
  ]),
  requirements: ['VER-STATUS-VTPM-SHAPE'],
  role: 'verifier',
  since: '1.0',
  until: '2.5',
  async run({ verifier, machines, version, check, checkReply }) {
    const agent = await machines.pushAgent({
      until: 'activated',
      measured: true,
      address: { ip: '127.0.0.1', port: 9 },
    })
    checkReply('verifier.add-agent', await agent.enrol())
    const record = await verifier.readAgent(agent.id)
    const vtpmPolicy = results(record, 'vtpm_policy')
    if ((version === '2.3' || version === '2.4') && vtpmPolicy !== undefined)
      check('VER-STATUS-VTPM-SHAPE', 'vtpm_policy')
        .of(jsonIn(vtpmPolicy))
        .matches('a JSON object in a text', isObject)
    checkReply('verifier.read-agent', record, [
      'an address was given',
      'a runtime policy was given',
      'no measured boot policy was given',
    ])
    const call = { as: verifier.admin, params: { agent_id: agent.id } }
    checkReply('verifier.stop', await verifier.call('stop', call))
    checkReply('verifier.reactivate', await verifier.call('reactivate', call))
    checkReply('verifier.delete-agent', await verifier.deleteAgent(agent.id))
  },
})

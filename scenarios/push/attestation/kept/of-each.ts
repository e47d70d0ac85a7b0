import { at, attributes, listOf, scenario } from '../../../../conformance/scenario.ts'

export default scenario({
  id: 'push.attestation.kept-of-each',
  title: 'The verifier stores with each attestation what the agent offered for that one',
  requirements: ['ATT-KEPT-CAPABILITIES-SAME'],
  role: 'verifier',
  since: '3.0',
  needs: ['ima_log'],
  async run({ verifier, machines, check }) {
    const agent = await machines.pushAgent({ script: 'measure /usr/bin/ran-once' })
    for (const attestation of ['first', 'second']) {
      const offered = at(agent.capabilities(), 'data', 'attributes', 'evidence_supported')
      const negotiation = await agent.negotiate()
      await agent.submit(negotiation)
      await agent.verdict(negotiation)
      const read = await verifier.attestation(agent.id, negotiation.index)
      const list = (items: unknown) =>
        listOf(items)?.find((item) => at(item, 'evidence_type') === 'ima_log')
      check('ATT-KEPT-CAPABILITIES-SAME', `capabilities of the list in the ${attestation} one`)
        .of(at(list(attributes(read, 'evidence')), 'capabilities'))
        .is(at(list(offered), 'capabilities'))
      await agent.machine.play('measure /usr/bin/ran-once')
    }
  },
})

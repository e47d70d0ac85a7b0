import { REFUSED, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'registrar.binding.deep-quote',
  title: 'The registrar activates no agent by a deep quote without proof',
  requirements: ['REG-DEEPQUOTE-NO-PROOF'],
  role: 'registrar',
  since: '1.0',
  until: '2.0',
  async run({ registrar, verifier, machines, check }) {
    const agent = await machines.pushAgent({ until: 'booted' })
    const registration = await agent.register()
    const reply = await registrar.call('activate-virtual', {
      params: { agent_id: agent.id },
      body: { deepquote: 'AAAA' }, // the defect
      defect: 'a deep quote of three zeros',
    })
    check('REG-DEEPQUOTE-NO-PROOF', 'activation')
      .of(reply)
      .matches(...REFUSED)
    check('REG-DEEPQUOTE-NO-PROOF', 'reading the record')
      .of(await registrar.read(agent.id, verifier.admin))
      .matches(...REFUSED)
    const activation = await agent.activate(await agent.openBlob(registration))
    check('REG-DEEPQUOTE-NO-PROOF', 'activation by the tag afterwards')
      .of(activation.status)
      .is(200)
  },
})

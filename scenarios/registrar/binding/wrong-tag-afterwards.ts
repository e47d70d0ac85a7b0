import { REFUSED, results, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'registrar.binding.wrong-tag-afterwards',
  title: 'The registrar keeps an active agent active after a wrong tag',
  requirements: ['REG-WRONG-TAG-HARMLESS'],
  role: 'registrar',
  since: '2.1',
  variantOf: 'registrar.registration.accepted',
  async run({ registrar, verifier, machines, check }) {
    const agent = await machines.pushAgent({ until: 'activated' })
    const before = results(await registrar.read(agent.id, verifier.admin))
    const wrong = '0'.repeat(96) // the defect
    check('REG-WRONG-TAG-HARMLESS', 'the second activation')
      .of(await agent.activate(wrong))
      .matches(...REFUSED)
    check('REG-WRONG-TAG-HARMLESS', 'the record')
      .of(results(await registrar.read(agent.id, verifier.admin)))
      .is(before)
  },
})

import { at, isSuccess, REFUSED, results, scenario } from '../../../conformance/scenario.ts'

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
    const reply = await registrar.read(agent.id, verifier.admin)
    const isActive = check('REG-WRONG-TAG-HARMLESS', 'reading the record afterwards')
      .of(reply)
      .matches('a success', isSuccess)
    if (isActive) check('REG-WRONG-TAG-HARMLESS', 'the record').of(results(reply)).is(before)
    const address = '127.0.0.3'
    const right = await agent.openBlob(await agent.register({ ip: address }))
    await agent.activate(wrong)
    const isActivated = isSuccess(await agent.activate(right))
    check('REG-WRONG-TAG-HARMLESS', 'ip after a new registration, a wrong tag and the right one')
      .of(results(await registrar.read(agent.id, verifier.admin), 'ip'))
      .is(isActivated ? address : at(before, 'ip'))
  },
})

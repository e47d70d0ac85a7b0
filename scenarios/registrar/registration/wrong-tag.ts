import { REFUSED, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'registrar.registration.wrong-tag',
  title:
    'The registrar rejects an activation with a wrong tag without effect, and does not reveal the right one',
  requirements: ['REG-ACTIVATE-WRONG-TAG', 'REG-ACTIVATE-PROVES', 'REG-ACTIVATE-NO-LEAK'],
  role: 'registrar',
  provesFunction: true,
  since: '2.1',
  variantOf: 'registrar.registration.accepted',
  async run({ registrar, verifier, machines, check }) {
    const agent = await machines.pushAgent({ until: 'booted' })
    const tag = await agent.openBlob(await agent.register())
    const wrong = `${tag.startsWith('0') ? '1' : '0'}${tag.slice(1)}` // the defect
    const refusal = await agent.activate(wrong)
    check('REG-ACTIVATE-WRONG-TAG', 'activation')
      .of(refusal)
      .matches(...REFUSED)
    check('REG-ACTIVATE-NO-LEAK', 'whether the refusal contains the expected tag')
      .of(refusal.text.includes(tag))
      .is(false)
    const seen = await registrar.read(agent.id, verifier.admin)
    check('REG-ACTIVATE-PROVES', 'reading the record')
      .of(seen)
      .matches(...REFUSED)
  },
})

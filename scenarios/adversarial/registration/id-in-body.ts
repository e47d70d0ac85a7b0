import { isSuccess, REFUSED, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'adversarial.registration.id-in-body',
  title: 'Up to 2.5 the registrar registers the id in the path, not another id in the body',
  requirements: ['REG-ID-IN-BODY-IGNORED'],
  role: 'registrar',
  since: '2.1',
  until: '2.5',
  variantOf: 'registrar.registration.accepted',
  async run({ registrar, verifier, machines, random, check, observe }) {
    const other = random.uuid()
    const agent = await machines.lightAgent({ until: 'booted' })
    const registered = await agent.register({ agent_id: other }) // the defect
    observe('registration', 'HTTP status with another id in the body', registered.status)
    if (isSuccess(registered)) {
      const { status } = await agent.activate(await agent.openBlob(registered))
      check('REG-ID-IN-BODY-IGNORED', 'activation of the id of the path').of(status).is(200)
    }
    check('REG-ID-IN-BODY-IGNORED', 'reading the id of the body')
      .of(await registrar.read(other, verifier.admin))
      .matches(...REFUSED)
  },
})

import { listOf, results, scenario } from '../../../conformance/scenario.ts'
import { registerBaseline } from '../support/registration-family.ts'

export default scenario({
  id: 'adversarial.registration.id-in-body',
  title: 'Up to 2.5 the registrar registers the id in the path, not another id in the body',
  requirements: ['REG-ID-IN-BODY-IGNORED'],
  role: 'registrar',
  since: '2.1',
  until: '2.5',
  variantOf: 'adversarial.registration.golden-rsa',
  async run(context) {
    const { registrar, verifier, random, check } = context
    const [agentId, other] = [random.uuid(), random.uuid()]
    await registerBaseline(context, 'rsa', {
      agentId,
      bodyId: other, // the defect
    })
    const uuids = listOf(results(await registrar.list(verifier.admin), 'uuids'))
    check('REG-ID-IN-BODY-IGNORED', 'whether the id of the body is listed')
      .of(uuids?.includes(other))
      .is(false)
  },
})

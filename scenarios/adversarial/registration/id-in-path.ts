import { listOf, results, scenario } from '../../../conformance/scenario.ts'
import { baselineRegistration } from '../support/engine.ts'

export default scenario({
  id: 'adversarial.registration.id-in-path',
  title:
    'In 3.0 the registrar registers no agent by a POST to the path of an agent, regardless of the id in the body',
  requirements: ['REG-REMOVED-POST-ID'],
  role: 'registrar',
  since: '3.0',
  variantOf: 'adversarial.registration.golden-rsa',
  async run({ registrar, verifier, random, check }) {
    const [inPath, inBody] = [random.uuid(), random.uuid()]
    await registrar.get(`/v3.0/agents/${inPath}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: { ...baselineRegistration('rsa'), agent_id: inBody }, // the defect
    })
    const uuids = listOf(results(await registrar.list(verifier.admin), 'uuids'))
    check('REG-REMOVED-POST-ID', 'which of the two ids is listed')
      .of(uuids?.filter((uuid) => uuid === inPath || uuid === inBody))
      .is([])
  },
})

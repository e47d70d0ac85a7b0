import { listOf, REFUSED, results, scenario } from '../../../conformance/scenario.ts'

/** What a body has under `agent_id` in place of a text. */
const DEFECTS: readonly unknown[] = [undefined, null, 7, '', ['agent']]

export default scenario({
  id: 'registrar.registration.without-id',
  title: 'In 3.0 the registrar rejects a registration without the id of an agent',
  requirements: ['REG-REQUEST-ID-MISSING'],
  role: 'registrar',
  since: '3.0',
  variantOf: 'registrar.registration.accepted',
  async run({ registrar, verifier, machines, check }) {
    const agent = await machines.pushAgent({ until: 'booted' })
    for (const agent_id of DEFECTS) {
      const what = agent_id === undefined ? 'without agent_id' : `with ${JSON.stringify(agent_id)}`
      check('REG-REQUEST-ID-MISSING', `a registration ${what}`)
        .of(await agent.register({ agent_id })) // the defect
        .matches(...REFUSED)
    }
    const uuids = listOf(results(await registrar.list(verifier.admin), 'uuids'))
    const named = uuids?.filter((uuid) => DEFECTS.some((value) => String(value) === uuid))
    check('REG-REQUEST-ID-MISSING', 'listed agents whose id was made of such a value')
      .of(named)
      .is([])
  },
})

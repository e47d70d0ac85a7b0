import { REFUSED, scenario } from '../../../conformance/scenario.ts'
import { storeBootPolicy } from '../support/engine.ts'

export default scenario({
  id: 'verifier.boot-policy.named-unknown',
  title: 'The verifier does not enroll an agent with the name of an unknown boot policy',
  requirements: ['VER-ADD-BOOT-POLICY-NAMED'],
  role: 'verifier',
  since: '2.3',
  until: '2.5',
  variantOf: 'verifier.boot-policy.named',
  async run(context) {
    const { machines, check } = context
    const { name } = await storeBootPolicy(context)
    const bootPolicyName = `${name}-of-another` // the defect
    const agent = await machines.pushAgent({ until: 'activated', bootPolicyName })
    check('VER-ADD-BOOT-POLICY-NAMED', 'adding the agent')
      .of(await agent.enrol())
      .matches(...REFUSED)
  },
})

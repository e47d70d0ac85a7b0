import { scenario } from '../../../conformance/scenario.ts'
import { policyNaming } from '../support/engine.ts'
import { checkUnderReplaced, revoking } from '../support/replaced-policy.ts'

export default scenario({
  id: 'verifier.policies.revoked',
  title: 'The verifier fails an agent that measured a file before its policy revoked it',
  requirements: ['VER-ADD-POLICY-LOADED-JUDGES'],
  role: 'verifier',
  since: '3.0',
  needs: ['ima_log'],
  variantOf: 'verifier.policies.replaced-by-more',
  async run(context) {
    const policy = revoking(policyNaming(context, '/opt/more')) // the defect
    await checkUnderReplaced(context, policy, 'fail')
  },
})

import { scenario } from '../../../conformance/scenario.ts'
import { policyNaming } from '../support/engine.ts'
import { checkUnderReplaced } from '../support/replaced-policy.ts'

export default scenario({
  id: 'verifier.policies.revoked',
  title: 'The verifier fails an agent that measured a file before its policy revoked it',
  requirements: ['VER-ADD-POLICY-LOADED-JUDGES'],
  role: 'verifier',
  since: '3.0',
  needs: ['ima_log'],
  variantOf: 'verifier.policies.replaced-by-more',
  async run(context) {
    const policy = JSON.parse(policyNaming(context, '/opt/more'))
    const [file = ''] = Object.keys(policy.digests).filter((path) => path.startsWith('/'))
    policy.digests[file] = ['cd'.repeat(32)] // the defect
    await checkUnderReplaced(context, JSON.stringify(policy), 'fail')
  },
})

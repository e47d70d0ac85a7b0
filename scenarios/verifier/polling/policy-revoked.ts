import { scenario } from '../../../conformance/scenario.ts'
import { policyNaming } from '../support/engine.ts'
import { checkPolledUnderReplaced, revoking } from '../support/replaced-policy.ts'

export default scenario({
  id: 'verifier.polling.policy-revoked',
  title: 'The verifier fails a pull agent that measured a file before its policy revoked it',
  requirements: ['VER-ADD-POLICY-LOADED-JUDGES'],
  role: 'verifier',
  seconds: 6,
  since: '2.5',
  until: '2.5',
  needs: ['pull_mode', 'ima_log'],
  variantOf: 'verifier.polling.policy-replaced',
  async run(context) {
    const policy = revoking(policyNaming(context, '/opt/more')) // the defect
    await checkPolledUnderReplaced(context, policy, 'FAIL')
  },
})

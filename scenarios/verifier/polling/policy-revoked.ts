import { scenario } from '../../../conformance/scenario.ts'
import { BY_REVOKING, checkPolledUnderReplaced } from '../support/replaced-policy.ts'

export default scenario({
  id: 'verifier.polling.policy-revoked',
  title:
    'The verifier fails a pull agent whose list satisfies neither its policy nor the one that replaced it',
  requirements: ['VER-POLICY-REPLACED-JUDGES'],
  role: 'verifier',
  seconds: 6,
  since: '2.5',
  until: '2.5',
  needs: ['pull_mode', 'ima_log'],
  variantOf: 'verifier.polling.policy-replaced',
  run: (context) => checkPolledUnderReplaced(context, BY_REVOKING), // the defect
})

import { scenario } from '../../../conformance/scenario.ts'
import { BY_REVOKING, checkUnderReplaced } from '../support/replaced-policy.ts'

export default scenario({
  id: 'verifier.policies.revoked',
  title:
    'The verifier fails an agent whose list satisfies neither its policy nor the one that replaced it',
  requirements: ['VER-ADD-POLICY-LOADED-JUDGES', 'VER-POLICY-REPLACED-JUDGES'],
  role: 'verifier',
  since: '3.0',
  needs: ['ima_log'],
  variantOf: 'verifier.policies.replaced-by-more',
  run: (context) => checkUnderReplaced(context, BY_REVOKING), // the defect
})

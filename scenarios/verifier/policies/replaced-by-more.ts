import { scenario } from '../../../conformance/scenario.ts'
import { BY_MORE, checkUnderReplaced } from '../support/replaced-policy.ts'

export default scenario({
  id: 'verifier.policies.replaced-by-more',
  title: 'The verifier passes an agent whose policy was replaced by one that lists more',
  requirements: ['VER-ADD-POLICY-LOADED-JUDGES'],
  role: 'verifier',
  since: '3.0',
  needs: ['ima_log'],
  run: (context) => checkUnderReplaced(context, BY_MORE),
})

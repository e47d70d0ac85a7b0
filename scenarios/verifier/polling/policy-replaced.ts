import { scenario } from '../../../conformance/scenario.ts'
import { BY_MORE, checkPolledUnderReplaced } from '../support/replaced-policy.ts'

export default scenario({
  id: 'verifier.polling.policy-replaced',
  title: 'The verifier passes a pull agent whose policy was replaced by one that lists more',
  requirements: ['VER-ADD-POLICY-LOADED-JUDGES'],
  role: 'verifier',
  seconds: 6,
  since: '2.5',
  until: '2.5',
  needs: ['pull_mode', 'ima_log'],
  run: (context) => checkPolledUnderReplaced(context, BY_MORE),
})

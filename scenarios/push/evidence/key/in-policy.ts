import { attributes, scenario } from '../../../../conformance/scenario.ts'
import { SOME_CERTIFICATE } from '../../support/engine.ts'

export default scenario({
  id: 'push.evidence.key-in-policy',
  title: 'The verifier passes a key added to a kernel keyring if the policy lists it',
  requirements: ['ATT-EVALUATION-PASS'],
  role: 'verifier',
  since: '3.0',
  needs: ['ima_log'],
  async run({ machines, check }) {
    const agent = await machines.pushAgent({ script: [['key', '.ima', SOME_CERTIFICATE]] })
    const seen = await agent.attest()
    check('ATT-EVALUATION-PASS', 'evaluation').of(attributes(seen, 'evaluation')).is('pass')
  },
})

import { scenario } from '../../../conformance/scenario.ts'
import { checkFailed } from '../support/check-failed.ts'

export default scenario({
  id: 'push.evidence.path-not-excluded',
  title:
    'The verifier checks a file below another folder, even if its path contains the excluded folder',
  requirements: ['ATT-IMA-EXCLUDED-OTHERS', 'ATT-REASON-POLICY'],
  role: 'verifier',
  since: '3.0',
  needs: ['ima_log'],
  variantOf: 'push.evidence.path-excluded',
  async run({ machines, random, check }) {
    const agent = await machines.pushAgent({
      policy: (accepted) => ({ ...accepted, excludes: ['/var/tmp/.*', '/opt/(a|b)/'] }),
    })
    await agent.machine.measure('/usr/opt/a/anything', random.bytes(32)) // the defect
    const seen = await agent.attest()
    checkFailed(check, seen, ['ATT-IMA-EXCLUDED-OTHERS', 'ATT-REASON-POLICY'])
  },
})

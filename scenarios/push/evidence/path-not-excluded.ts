import { attributes, scenario } from '../../../conformance/scenario.ts'

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
    const failed = check('ATT-IMA-EXCLUDED-OTHERS', 'evaluation')
      .of(attributes(seen, 'evaluation'))
      .is('fail')
    if (failed)
      check('ATT-REASON-POLICY', 'failure_reason')
        .of(attributes(seen, 'failure_reason'))
        .is('policy_violation')
  },
})

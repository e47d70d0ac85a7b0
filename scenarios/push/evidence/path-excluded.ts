import { attributes, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'push.evidence.path-excluded',
  title: 'The verifier passes a file at an excluded path with any contents',
  requirements: ['ATT-IMA-EXCLUDED'],
  role: 'verifier',
  since: '3.0',
  needs: ['ima_log'],
  async run({ machines, random, check }) {
    const agent = await machines.pushAgent({
      policy: (accepted) => ({ ...accepted, excludes: ['/var/tmp/.*', '/opt/(a|b)/'] }),
    })
    await agent.machine.measure('/opt/a/anything', random.bytes(32))
    const seen = await agent.attest()
    check('ATT-IMA-EXCLUDED', 'evaluation').of(attributes(seen, 'evaluation')).is('pass')
  },
})

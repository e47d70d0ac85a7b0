import { attributes, scenario } from '../../../../conformance/scenario.ts'

export default scenario({
  id: 'push.evidence.after-suspend',
  title:
    'The verifier passes a machine that was suspended and resumed, with its later measurements',
  requirements: ['ATT-EVALUATION-PASS'],
  role: 'verifier',
  since: '3.0',
  needs: ['ima_log'],
  async run({ machines, check }) {
    const agent = await machines.pushAgent({ script: 'measure /usr/bin/ran-twice' })
    const before = await agent.attest()
    check('ATT-EVALUATION-PASS', 'evaluation before the suspension')
      .of(attributes(before, 'evaluation'))
      .is('pass')
    await agent.machine.play('suspend\nmeasure /usr/bin/ran-twice')
    const after = await agent.attest()
    check('ATT-EVALUATION-PASS', 'evaluation after the suspension')
      .of(attributes(after, 'evaluation'))
      .is('pass')
    await agent.machine.play('measure /usr/bin/ran-twice')
    check('ATT-EVALUATION-PASS', 'evaluation with a third part of the measurement list')
      .of(attributes(await agent.attest(), 'evaluation'))
      .is('pass')
  },
})

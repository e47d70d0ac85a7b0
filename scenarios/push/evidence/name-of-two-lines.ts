import { attributes, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'push.evidence.name-of-two-lines',
  title: 'The verifier passes a file with a newline in its name, and later files',
  requirements: ['ATT-EVALUATION-PASS'],
  role: 'verifier',
  since: '3.0',
  needs: ['ima_log'],
  async run({ machines, verifier, check, notApplicable }) {
    if (verifier.dialect['ima-names'] === 'one-line') {
      notApplicable('the lists of the dialect have single-line names only')
    }
    const script = 'measure "/tmp/two\\nlines"\nmeasure /usr/bin/ran-twice'
    const agent = await machines.pushAgent({ script })
    const before = await agent.attest()
    check('ATT-EVALUATION-PASS', 'evaluation').of(attributes(before, 'evaluation')).is('pass')
    await agent.machine.play('measure /usr/bin/ran-twice')
    const after = await agent.attest()
    check('ATT-EVALUATION-PASS', 'evaluation of later files')
      .of(attributes(after, 'evaluation'))
      .is('pass')
  },
})

import { attributes, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'push.evidence.name-of-two-lines',
  title: 'A file with a newline in its name passes, and so does what runs after it',
  requirements: ['ATT-EVALUATION-PASS'],
  role: 'verifier',
  since: '3.0',
  needs: ['ima_log'],
  async run({ machines, verifier, check, notApplicable }) {
    if (verifier.dialect['ima-names'] === 'one-line') {
      notApplicable('the dialect has names of one line in its lists')
    }
    const script = 'measure "/tmp/two\\nlines"\nmeasure /usr/bin/ran-twice'
    const agent = await machines.pushAgent({ script })
    const before = await agent.attest()
    check('ATT-EVALUATION-PASS', 'evaluation').of(attributes(before, 'evaluation')).is('pass')
    await agent.machine.play('measure /usr/bin/ran-twice')
    const after = await agent.attest()
    check('ATT-EVALUATION-PASS', 'evaluation of what ran since')
      .of(attributes(after, 'evaluation'))
      .is('pass')
  },
})

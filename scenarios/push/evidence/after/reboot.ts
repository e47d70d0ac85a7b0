import { at, attributes, scenario } from '../../../../conformance/scenario.ts'

export default scenario({
  id: 'push.evidence.after-reboot',
  title: 'The verifier passes a machine after a reboot, with a new measurement list',
  requirements: ['ATT-SELECTION-OFFSET-REBOOT', 'ATT-EVALUATION-PASS'],
  role: 'verifier',
  since: '3.0',
  needs: ['ima_log'],
  async run({ machines, check }) {
    const agent = await machines.pushAgent({ script: 'measure /usr/bin/ran-once' })
    const before = await agent.attest()
    check('ATT-EVALUATION-PASS', 'evaluation before the reboot')
      .of(attributes(before, 'evaluation'))
      .is('pass')
    await agent.machine.play('reboot\nmeasure /usr/bin/ran-once\nmeasure /usr/bin/ran-once')
    const negotiation = await agent.negotiate()
    const list = negotiation.requested.find(({ evidence_type }) => evidence_type === 'ima_log')
    check('ATT-SELECTION-OFFSET-REBOOT', 'starting_offset after the reboot')
      .of(at(list, 'chosen_parameters', 'starting_offset'))
      .is(0)
    await agent.submit(negotiation)
    const after = await agent.verdict(negotiation)
    const passed = check('ATT-EVALUATION-PASS', 'evaluation after the reboot')
      .of(attributes(after, 'evaluation'))
      .is('pass')
    if (!passed) return
    // What was certified since the reboot counts, and not what was certified before it as well.
    check('ATT-EVALUATION-PASS', 'evaluation of the next attestation')
      .of(attributes(await agent.attest(), 'evaluation'))
      .is('pass')
  },
})

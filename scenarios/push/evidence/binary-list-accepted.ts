import { attributes, scenario } from '../../../conformance/scenario.ts'
import { BINARY_LIST } from '../support/engine.ts'

export default scenario({
  id: 'push.evidence.binary-list-accepted',
  title: 'The verifier passes a binary measurement list, and its later parts, if it asks for one',
  requirements: ['ATT-EVALUATION-PASS'],
  role: 'verifier',
  since: '3.0',
  needs: ['ima_log'],
  async run({ machines, check, observe, notApplicable }) {
    const agent = await machines.pushAgent({
      imaFormats: ['text/plain', BINARY_LIST],
      script: 'measure /usr/bin/ran-again',
    })
    const negotiation = await agent.negotiate()
    const list = negotiation.requested.find(({ evidence_type }) => evidence_type === 'ima_log')
    const format = list?.chosen_parameters.format
    observe('ENTRIES', 'format chosen when both are offered', format)
    if (format !== BINARY_LIST) return notApplicable('the subject prefers the text list')
    await agent.submit(negotiation)
    const seen = await agent.verdict(negotiation)
    check('ATT-EVALUATION-PASS', 'evaluation').of(attributes(seen, 'evaluation')).is('pass')
    for (const part of ['second', 'third']) {
      await agent.machine.play('measure /usr/bin/ran-again')
      check('ATT-EVALUATION-PASS', `evaluation of the ${part} part of the list`)
        .of(attributes(await agent.attest(), 'evaluation'))
        .is('pass')
    }
  },
})

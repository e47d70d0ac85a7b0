import { at, attributes, isRefusal, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'push.attestation.selected-whole',
  title: 'The verifier requests the whole measurement list if the machine cannot send a part',
  requirements: ['ATT-SELECTION-OFFSET-WHOLE', 'ATT-EVALUATION-PASS'],
  role: 'verifier',
  since: '3.0',
  needs: ['ima_log'],
  variantOf: 'push.attestation.selected',
  async run({ machines, check, observe, notApplicable }) {
    const agent = await machines.pushAgent({
      script: 'measure /usr/bin/known',
      imaInPart: false, // the defect
    })
    const offered = await agent.offerInTurn()
    observe('WHOLELIST', 'status if only the whole list is offered', offered.status)
    if (isRefusal(offered))
      return notApplicable('the verifier does not accept an offer of the whole list only')
    const first = agent.negotiationIn(offered)
    await agent.submit(first)
    await agent.verdict(first)

    const negotiation = await agent.negotiate()
    const list = negotiation.requested.find(({ evidence_type }) => evidence_type === 'ima_log')
    check('ATT-SELECTION-OFFSET-WHOLE', 'starting_offset once entries of it were certified')
      .of(at(list, 'chosen_parameters', 'starting_offset'))
      .is(0)
    await agent.submit(negotiation)
    const seen = await agent.verdict(negotiation)
    check('ATT-EVALUATION-PASS', 'evaluation').of(attributes(seen, 'evaluation')).is('pass')
  },
})

import { attributes, isRefusal, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'push.evidence.other-bank',
  title: 'The verifier does not pass a quote in another bank than the chosen one',
  requirements: ['ATT-QUOTE-OTHER-BANK'],
  role: 'verifier',
  since: '3.0',
  variantOf: 'push.evidence.accepted',
  async run({ machines, check }) {
    const agent = await machines.softAgent()
    const negotiation = await agent.negotiate()
    const requested = negotiation.requested.map((item) => {
      const { hash_algorithm, selected_subjects: chosen } = item.chosen_parameters
      if (hash_algorithm === undefined) return item
      const bank = hash_algorithm === 'sha384' ? 'sha512' : 'sha384' // the defect
      const pcrs = Array.isArray(chosen) ? chosen : Object(chosen)[String(hash_algorithm)]
      const selected_subjects = Array.isArray(chosen) ? chosen : { [bank]: pcrs }
      return { ...item, chosen_parameters: { hash_algorithm: bank, selected_subjects } }
    })
    const reply = await agent.submit({ ...negotiation, requested }, { says: 'another bank' })
    const outcome = isRefusal(reply)
      ? 'refused'
      : attributes(await agent.verdict(negotiation), 'evaluation')
    check('ATT-QUOTE-OTHER-BANK', 'outcome of the evidence')
      .of(outcome)
      .isOneOf(['refused', 'fail'])
  },
})

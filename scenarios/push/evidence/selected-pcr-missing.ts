import { at, attributes, isRefusal, scenario } from '../../../conformance/scenario.ts'

const MASK_OF_0_AND_10 = JSON.stringify({ mask: '0x401' })

export default scenario({
  id: 'push.evidence.selected-pcr-missing',
  title: 'The verifier does not pass a quote over fewer PCRs than selected',
  requirements: ['ATT-PCRS-SELECTED'],
  role: 'verifier',
  since: '3.0',
  variantOf: 'push.evidence.accepted',
  async run({ machines, verifier, check, observe }) {
    const agent = await machines.softAgent({ until: 'activated' })
    await agent.enrol({ tpm_policy: MASK_OF_0_AND_10 })
    await agent.logIn()
    const negotiation = await agent.negotiate()
    const less = (subjects: unknown): unknown =>
      Array.isArray(subjects)
        ? subjects.slice(1) // the defect
        : Object.fromEntries(
            Object.entries(Object(subjects)).map(([bank, pcrs]) => [bank, pcrs && less(pcrs)]),
          )
    const requested = negotiation.requested.map((item) => {
      const { selected_subjects, ...chosen } = item.chosen_parameters
      observe('mask', `PCRs selected for ${item.evidence_type}`, selected_subjects)
      return {
        ...item,
        chosen_parameters: { ...chosen, selected_subjects: less(selected_subjects) },
      }
    })
    const says = 'a PCR that was selected is not quoted'
    const reply = await agent.submit({ ...negotiation, requested }, { says })
    const seen = isRefusal(reply) ? reply : await verifier.settled(agent.id, negotiation.index)
    check('ATT-PCRS-SELECTED', 'outcome of the evidence')
      .of(isRefusal(reply) ? 'refused' : (attributes(seen, 'evaluation') ?? at(seen.body, 'data')))
      .isOneOf(['refused', 'fail'])
  },
})

import { at, attributes, isRefusal, listOf, scenario } from '../../../conformance/scenario.ts'

/** With 0, which the static policy of the agent needs, and without 10, which its runtime policy needs. */
const PCRS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]

export default scenario({
  id: 'push.attestation.selected-of-fewer',
  title: 'The verifier does not request a PCR that was not offered, even if a policy needs it',
  requirements: ['ATT-SELECTION-SUBJECTS'],
  role: 'verifier',
  since: '3.0',
  needs: ['ima_log'],
  variantOf: 'push.attestation.selected',
  async run({ verifier, machines, check, observe }) {
    const select = async (tpm_policy: string, measured: boolean) => {
      const agent = await machines.softAgent({ until: 'activated', measured })
      await agent.enrol({ tpm_policy })
      await agent.logIn()
      const inBanks = verifier.dialect['available-subjects'] === 'object'
      const body = agent.capabilities()
      const offers = listOf(at(body, 'data', 'attributes', 'evidence_supported')) ?? []
      const available_subjects = inBanks ? { sha256: PCRS } : PCRS // the defect
      const evidence_supported = offers.map((offer) =>
        at(offer, 'evidence_type') === 'tpm_quote'
          ? {
              ...Object(offer),
              capabilities: { ...Object(at(offer, 'capabilities')), available_subjects },
            }
          : offer,
      )
      const data = {
        type: 'attestation',
        attributes: { ...Object(at(body, 'data', 'attributes')), evidence_supported },
      }
      const params = { agent_id: agent.id }
      return verifier.call('negotiate', { as: agent.credentials, params, body: { data } })
    }
    for (const [says, reply] of [
      ['that a policy needs', await select(JSON.stringify({ mask: '0x1' }), true)],
      ['that no policy needs', await select('{}', false)],
    ] as const) {
      observe('selection', `status where a PCR ${says} is not offered`, reply.status)
      const requested = listOf(attributes(reply, 'evidence_requested')) ?? []
      const chosen = at(requested[0], 'chosen_parameters', 'selected_subjects')
      const pcrs = [Object(chosen)].flatMap((one) => Object.values(one)).flat()
      check('ATT-SELECTION-SUBJECTS', `PCRs ${says} that were chosen and not offered`)
        .of(
          isRefusal(reply)
            ? []
            : pcrs.filter((pcr) => typeof pcr === 'number' && !PCRS.includes(pcr)),
        )
        .is([])
    }
  },
})

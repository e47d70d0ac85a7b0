import { at, attributes, listOf, scenario } from '../../../../conformance/scenario.ts'
import { editMember } from '../../support/edit-member.ts'
import { BINARY_LIST, collectEvidence, TEXT_LIST } from '../../support/engine.ts'

const LIST = ['data', 'attributes', 'evidence_supported', 'ima_log', 'capabilities']
const MEASURES = 'measure /usr/bin/ran-once'

/** Attestations of one agent: what it does before each, and members of its measurement list's capabilities. */
const ATTESTATIONS: readonly (readonly [says: string, play: string, offers: object])[] = [
  ['the first', '', {}],
  ['one with more entries', MEASURES, {}],
  ['one without new entries', '', {}],
  ['one without partial access', '', { supports_partial_access: false, appendable: false }],
]

export default scenario({
  id: 'push.attestation.kept-of-each',
  title: 'The verifier stores with each attestation what the agent offered and sent for that one',
  requirements: ['ATT-KEPT-CAPABILITIES-SAME', 'ATT-KEPT-DATA-SAME'],
  role: 'verifier',
  since: '3.0',
  needs: ['ima_log'],
  async run({ verifier, machines, check }) {
    const agent = await machines.pushAgent({
      script: MEASURES, // so that its policy lists the file
      imaFormats: [TEXT_LIST, BINARY_LIST],
    })
    for (const [says, play, offers] of ATTESTATIONS) {
      await agent.machine.play(play)
      const offered = editMember(agent.capabilities(), LIST, (usual: object) => ({
        ...usual,
        ...offers,
      }))
      const own = { as: agent.credentials, params: { agent_id: agent.id } }
      const negotiation = agent.negotiationIn(
        await verifier.patiently(() => verifier.call('negotiate', { ...own, body: offered })),
      )
      const body = await collectEvidence(agent.machine, negotiation, {}, verifier.dialect)
      const params = { ...own.params, index: negotiation.index }
      await verifier.call('submit', { ...own, params, body })
      await agent.verdict(negotiation)
      const read = await verifier.attestation(agent.id, negotiation.index)
      const kept = listIn(attributes(read, 'evidence'))
      check('ATT-KEPT-CAPABILITIES-SAME', `capabilities of the list in ${says}`)
        .of(at(kept, 'capabilities'))
        .is(at(listIn(at(offered, 'data', 'attributes', 'evidence_supported')), 'capabilities'))
      const sent = listIn(at(body, 'data', 'attributes', 'evidence_collected'))
      for (const name of ['entry_count', 'entries'])
        check('ATT-KEPT-DATA-SAME', `${name} of the list in ${says}`)
          .of(at(kept, 'data', name))
          .is(at(sent, 'data', name))
    }
  },
})

function listIn(items: unknown): unknown {
  return listOf(items)?.find((item) => at(item, 'evidence_type') === 'ima_log')
}

import { at, attributes, scenario } from '../../../../conformance/scenario.ts'
import { editMember } from '../../support/edit-member.ts'
import { BINARY_LIST, TEXT_LIST } from '../../support/engine.ts'

const BOOT_TIME = ['data', 'attributes', 'system_info', 'boot_time']
/** The same time of day in two zones: the second boot is four hours later. */
const [FIRST, SECOND] = ['2026-01-01T02:00:00+02:00', '2026-01-01T02:00:00-02:00']

export default scenario({
  id: 'push.evidence.after-reboot-in-another-zone',
  title: 'The verifier notices a reboot at the same time of day in another time zone',
  requirements: ['ATT-SELECTION-OFFSET-REBOOT', 'ATT-EVALUATION-PASS'],
  role: 'verifier',
  since: '3.0',
  needs: ['ima_log'],
  variantOf: 'push.evidence.after-reboot',
  async run({ verifier, machines, check }) {
    // Of a text list, whose entries may take several lines, a verifier may ask for the whole.
    const agent = await machines.lightAgent({ imaFormats: [TEXT_LIST, BINARY_LIST] })
    const negotiate = async (bootTime: string) => {
      const body = editMember(agent.capabilities(), BOOT_TIME, bootTime)
      const params = { agent_id: agent.id }
      return agent.negotiationIn(
        await verifier.patiently(() =>
          verifier.call('negotiate', { as: agent.credentials, params, body }),
        ),
      )
    }
    const first = await negotiate(FIRST)
    await agent.submit(first)
    check('ATT-EVALUATION-PASS', `evaluation of the boot at ${FIRST}`)
      .of(attributes(await agent.verdict(first), 'evaluation'))
      .is('pass')
    const second = await negotiate(SECOND) // the defect
    const list = second.requested.find(({ evidence_type }) => evidence_type === 'ima_log')
    check('ATT-SELECTION-OFFSET-REBOOT', `starting_offset of the boot at ${SECOND}`)
      .of(at(list, 'chosen_parameters', 'starting_offset'))
      .is(0)
  },
})

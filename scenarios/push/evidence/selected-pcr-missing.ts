import {
  attributes,
  type Context,
  isRefusal,
  type PushAgent,
  scenario,
} from '../../../conformance/scenario.ts'
import { selectedPcrs, withOtherPcr, withoutPcr } from '../support/selected-pcrs.ts'

/** In each byte of a PCR selection one, and the last two of all. */
const NAMED = [0, 9, 22, 23]
const MASK = `0x${NAMED.reduce((mask, pcr) => mask | (1 << pcr), 0).toString(16)}`

export default scenario({
  id: 'push.evidence.selected-pcr-missing',
  title: 'The verifier selects the PCRs of the mask, and passes no quote that lacks one of them',
  requirements: ['ATT-SELECTION-MASK', 'ATT-PCRS-SELECTED'],
  role: 'verifier',
  since: '3.0',
  variantOf: 'push.evidence.accepted',
  async run(context) {
    const { machines, check, observe } = context
    const named = await machines.softAgent({ until: 'activated' })
    await named.enrol({ tpm_policy: JSON.stringify({ mask: MASK }) })
    await named.logIn()
    const selected = selectedPcrs(await named.negotiate())
    check('ATT-SELECTION-MASK', 'PCRs of the mask that are not selected')
      .of(NAMED.filter((pcr) => !selected.includes(pcr)))
      .is([])
    await leaveOut(
      context,
      named,
      NAMED.filter((pcr) => selected.includes(pcr)),
    )
    const digits = await machines.softAgent({ until: 'activated' })
    // Hexadecimal without its mark, in digits that make a decimal number too.
    const added = await digits.enrol({ tpm_policy: JSON.stringify({ mask: '400000' }) })
    if (!isRefusal(added) && selected.includes(22)) {
      await digits.logIn()
      check('ATT-SELECTION-MASK', 'whether PCR 22 of the mask 400000 is selected')
        .of(selectedPcrs(await digits.negotiate()).includes(22))
        .is(true)
    }
    const free = await machines.softAgent({ until: 'activated', measured: false })
    await free.enrol({ tpm_policy: '{}' })
    await free.logIn()
    const offered = await free.offerInTurn()
    const chosen = isRefusal(offered) ? [] : selectedPcrs(free.negotiationIn(offered))
    observe('selection', 'PCRs selected for an agent without policies', chosen)
    const some = [0, chosen.findIndex((pcr) => pcr > 7), chosen.length - 1].map((at) => chosen[at])
    await leaveOut(context, free, [...new Set(some)])
  },
})

/** Sends quotes that each lack one of the PCRs, or have another one in its place. */
async function leaveOut(
  { check }: Context,
  agent: Pick<PushAgent, 'negotiate' | 'submit' | 'verdict'>,
  pcrs: readonly (number | undefined)[],
): Promise<void> {
  for (const pcr of pcrs.filter((each) => each !== undefined)) {
    for (const change of [withoutPcr, withOtherPcr]) {
      const negotiation = await agent.negotiate()
      const changed = change(negotiation, pcr) // the defect
      const says = `a quote of ${selectedPcrs(changed).join(', ') || 'no PCR'} without ${pcr}`
      const reply = await agent.submit(changed, { says })
      const { verdict } = agent
      check('ATT-PCRS-SELECTED', `outcome of ${says}`)
        .of(isRefusal(reply) ? 'refused' : attributes(await verdict(negotiation), 'evaluation'))
        .isOneOf(['refused', 'fail'])
    }
  }
}

import { attributes, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'push.evidence.uefi-log-accepted',
  title: 'The verifier passes the firmware log of a real boot with its quote',
  requirements: ['ATT-EVALUATION-PASS'],
  role: 'verifier',
  since: '3.0',
  needs: ['ima_log', 'uefi_log'],
  variantOf: 'push.evidence.accepted',
  async run({ machines, check, observe }) {
    const agent = await machines.pushAgent({ measuredBoot: true })
    const negotiation = await agent.negotiate()
    const log = negotiation.requested.find(({ evidence_type }) => evidence_type === 'uefi_log')
    observe('UEFISHAPE', 'chosen_parameters of uefi_log', log?.chosen_parameters)
    await agent.submit(negotiation)
    const seen = await agent.verdict(negotiation)
    check('ATT-EVALUATION-PASS', 'evaluation').of(attributes(seen, 'evaluation')).is('pass')
  },
})

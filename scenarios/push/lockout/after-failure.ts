import { attributes, flipBit, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'push.lockout.after-failure',
  title: 'The verifier accepts or refuses capabilities of an agent after a failed attestation',
  requirements: ['ATT-FAIL-NEXT-ALLOWED', 'ATT-FAIL-IS-200', 'ATT-FAIL-STAGE'],
  role: 'verifier',
  since: '3.0',
  variantOf: 'push.evidence.accepted',
  async run({ machines, verifier, check, observe }) {
    const agent = await machines.pushAgent()
    const seen = await agent.attest({ signature: (bytes) => flipBit(bytes, -1000) }) // the defect
    check('ATT-FAIL-IS-200', 'HTTP status of reading it').of(seen.status).is(200)
    check('ATT-FAIL-STAGE', 'stage').of(attributes(seen, 'stage')).is('verification_complete')
    const next = await verifier.patiently(() => agent.offer(agent.credentials))
    check('ATT-FAIL-NEXT-ALLOWED', 'capabilities POST after it')
      .of(next.status)
      .meets({ 'goes on': (status) => status === 201, 'is stopped': (status) => status === 403 })
    observe('FAILFLAG', 'status after a failed attestation', next.status)
  },
})

import { attributes, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'session.proof-of-another-object',
  title: 'The verifier answers a proof in which the enrolled key certifies another key of its TPM',
  requirements: ['SES-PROOF-CERTIFIED-OBJECT'],
  role: 'verifier',
  since: '3.0',
  variantOf: 'session.proof-accepted',
  async run({ machines, check }) {
    const agent = await machines.pushAgent({ until: 'enrolled' })
    const other = await agent.machine.createRogueAk()
    const proven = await agent.proveSession(await agent.openSession(), { object: other.handle })
    check('SES-PROOF-CERTIFIED-OBJECT', 'evaluation')
      .of(attributes(proven, 'evaluation') ?? 'none')
      .isOneOf(['pass', 'fail', 'none'])
  },
})

import { attributes, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'session.proof-by-quote',
  title: 'The verifier does not accept a quote over the challenge as a proof of possession',
  requirements: ['SES-PROOF-IS-CERTIFICATION', 'SES-FAIL-NO-TOKEN'],
  role: 'verifier',
  since: '3.0',
  variantOf: 'session.proof-accepted',
  async run({ machines, check }) {
    const agent = await machines.pushAgent({ until: 'enrolled' })
    const session = await agent.openSession()
    const proven = await agent.proveSession(session, { attestation: 'quote' }) // the defect
    check('SES-PROOF-IS-CERTIFICATION', 'evaluation')
      .of(attributes(proven, 'evaluation'))
      .is('fail')
    check('SES-FAIL-NO-TOKEN', 'token').of(attributes(proven, 'token')).isOneOf([undefined, null])
  },
})

import { scenario } from '../../../conformance/scenario.ts'
import { checkEndorsement } from '../support/engine.ts'

export default scenario({
  id: 'pull-agent.registration.certificate-in-larger-index',
  title:
    'A pull agent registers the EK certificate of its TPM without the bytes that follow it in the NV index',
  requirements: ['AGT-REG-EK'],
  role: 'pull_agent',
  seconds: 3,
  since: '2.1',
  until: '2.5',
  perMajor: true,
  variantOf: 'pull-agent.registration.record',
  async run({ pullAgents, check }) {
    const agent = await pullAgents.fresh({ largeCertificateIndex: true }) // the difference
    checkEndorsement(check, 'AGT-REG-EK', agent)
  },
})

import { scenario } from '../../conformance/scenario.ts'

export default scenario({
  id: 'certificates.tenant-at-verifier',
  title: 'The verifier and the tenant authenticate each other with certificates of one CA',
  requirements: ['CRT-SERVER-CA-VERIFIER', 'CRT-TENANT-CERTIFICATE-VERIFIER'],
  role: 'verifier',
  since: '2.1',
  perMajor: true,
  async run({ machines, check }) {
    const agent = await machines.silentAgent()
    const { status } = await agent.enrol()
    check('CRT-SERVER-CA-VERIFIER', 'whether it answers a client that trusts that CA only')
      .of(status !== undefined)
      .is(true)
    check('CRT-TENANT-CERTIFICATE-VERIFIER', 'HTTP status of adding an agent').of(status).is(200)
  },
})

import { scenario } from '../../conformance/scenario.ts'

export default scenario({
  id: 'certificates.no-common-name',
  title: 'The verifier answers a client certificate of the CA that has no common name',
  requirements: ['CRT-ADMIN-WORKS'],
  role: 'verifier',
  since: '2.5',
  until: '2.5',
  async run({ verifier, machines, certificates, check, observe }) {
    const agent = await machines.silentAgent()
    await agent.enrol()
    const seen = await verifier.readAgent(agent.id)
    check('CRT-ADMIN-WORKS', 'HTTP status for the administrator').of(seen.status).is(200)
    const nameless = await certificates('no-name')
    const { status, failure } = await verifier.readAgent(agent.id, nameless)
    observe(
      'ADMIN-NO-NAME',
      'GET agent with a certificate without a common name',
      status ?? failure,
    )
  },
})

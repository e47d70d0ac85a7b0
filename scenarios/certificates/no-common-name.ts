import { scenario } from '../../conformance/scenario.ts'

export default scenario({
  id: 'certificates.no-common-name',
  title: 'The verifier answers a client certificate of the CA that has no common name',
  requirements: ['CRT-ADMIN-WORKS', 'CRT-MANY-ADMINS-EQUAL'],
  role: 'verifier',
  since: '2.5',
  until: '2.5',
  async run({ verifier, machines, certificates, check }) {
    const agent = await machines.silentAgent()
    await agent.enrol()
    const seen = await verifier.readAgent(agent.id)
    check('CRT-ADMIN-WORKS', 'HTTP status for the administrator').of(seen.status).is(200)
    const nameless = await certificates('no-name')
    const shown = await verifier.readAgent(agent.id, nameless)
    check('CRT-MANY-ADMINS-EQUAL', 'HTTP status for a certificate without a common name')
      .of(shown.status)
      .is(200)
  },
})

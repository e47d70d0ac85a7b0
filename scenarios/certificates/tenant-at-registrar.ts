import { scenario } from '../../conformance/scenario.ts'

export default scenario({
  id: 'certificates.tenant-at-registrar',
  title: 'The registrar and the tenant authenticate each other with certificates of one CA',
  requirements: ['CRT-SERVER-CA-REGISTRAR', 'CRT-TENANT-CERTIFICATE-REGISTRAR'],
  role: 'registrar',
  since: '2.1',
  perMajor: true,
  async run({ registrar, verifier, check }) {
    const { status } = await registrar.list(verifier.admin)
    check('CRT-SERVER-CA-REGISTRAR', 'whether it answers a client that trusts that CA only')
      .of(status !== undefined)
      .is(true)
    check('CRT-TENANT-CERTIFICATE-REGISTRAR', 'HTTP status of the list').of(status).is(200)
  },
})

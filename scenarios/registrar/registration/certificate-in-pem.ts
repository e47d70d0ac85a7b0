import { base64, isRefusal, results, scenario } from '../../../conformance/scenario.ts'

const pemOf = (der: Uint8Array) => {
  const lines = base64(der).match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

export default scenario({
  id: 'registrar.registration.certificate-in-pem',
  title:
    'The registrar rejects an EK certificate in PEM, or shows it as base64 of its DER in the record',
  requirements: ['REG-RECORD-EKCERT'],
  role: 'registrar',
  since: '2.1',
  perMajor: true,
  variantOf: 'registrar.registration.accepted',
  async run({ registrar, verifier, machines, check, notApplicable }) {
    const agent = await machines.lightAgent({ until: 'booted' })
    const { certificate } = agent.machine.ek
    const registration = await agent.register({ ekcert: pemOf(certificate) }) // the defect
    if (isRefusal(registration)) notApplicable('the registrar takes no EK certificate in PEM')
    await agent.activate(await agent.openBlob(registration))
    check('REG-RECORD-EKCERT', 'ekcert after a registration with the certificate in PEM')
      .of(results(await registrar.read(agent.id, verifier.admin), 'ekcert'))
      .is(base64(certificate))
  },
})

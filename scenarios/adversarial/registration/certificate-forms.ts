import { isRefusal, results, scenario } from '../../../conformance/scenario.ts'
import { ekCertificateForms } from '../support/ek-certificate-forms.ts'

export default scenario({
  id: 'adversarial.registration.certificate-forms',
  title:
    'The registrar stores or rejects EK certificates in the encodings that manufacturers use, without a server error',
  requirements: ['REG-EKCERT-FORMS', 'REG-REGISTER-ANSWERED'],
  role: 'registrar',
  since: '2.1',
  variantOf: 'registrar.registration.accepted',
  async run({ registrar, verifier, machines, check, observe }) {
    const agent = await machines.pushAgent({ until: 'booted' })
    const sound = registrar.registrationOf(agent.machine)
    for (const { name, ekcert, keptAs } of ekCertificateForms(agent.machine)) {
      const body = { ...sound, ekcert } // the defect
      const registration = await registrar.register(agent.id, body, { defect: name })
      if (results(registration, 'blob') === undefined) {
        check('REG-REGISTER-ANSWERED', `registration with ${name}`)
          .of(registration)
          .matches('accepted with a blob, or refused with a 4xx status', isRefusal)
        observe(`e5-50-${name}`, 'what becomes of the certificate', 'refused')
        continue
      }
      await agent.activate(await agent.openBlob(registration))
      const kept = results(await registrar.read(agent.id, verifier.admin), 'ekcert')
      await registrar.delete(agent.id, verifier.admin)
      check('REG-EKCERT-FORMS', `ekcert of the record after ${name}`)
        .of(keptAs(kept))
        .matches('a certificate of this EK', (form) => form !== undefined)
      observe(`e5-50-${name}`, 'what becomes of the certificate', keptAs(kept))
    }
  },
})

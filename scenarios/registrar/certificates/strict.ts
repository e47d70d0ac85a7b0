import { isRefusal, REFUSED, scenario } from '../../../conformance/scenario.ts'
import { ekCertificateFamilies } from '../support/ek-certificate-cells.ts'

export default scenario({
  id: 'registrar.certificates.strict',
  title:
    'A registrar that validates the profile of EK certificates rejects every one that violates it',
  requirements: ['REG-EKCERT-PROFILE-JUDGED', 'REG-EKCERT-PATH-VALIDATED'],
  role: 'registrar',
  since: '2.1',
  needs: ['ek_store', 'ek_profile'],
  variantOf: 'registrar.certificates.valid',
  async run({ registrar, verifier, machines, check }) {
    const agent = await machines.lightAgent({ until: 'booted' })
    const register = async (members: Readonly<Record<string, unknown>>) => {
      const reply = await agent.register(members)
      if (!isRefusal(reply)) await registrar.delete(agent.id, verifier.admin)
      return reply
    }
    for (const { strict, cells } of ekCertificateFamilies) {
      for (const { defect, says } of cells) {
        check(strict, `registration with a certificate ${says}`)
          .of(await register({ ekcert: await agent.ekCertificate(defect) })) // the defect
          .matches(...REFUSED)
      }
    }
    check('REG-EKCERT-PROFILE-JUDGED', 'registration with an EK of RSA with 1024 bits')
      .of(await register(await agent.otherEndorsementKey('rsa-1024'))) // the defect
      .matches(...REFUSED)
  },
})

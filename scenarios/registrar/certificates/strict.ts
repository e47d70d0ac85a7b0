import { isRefusal, REFUSED, scenario } from '../../../conformance/scenario.ts'
import { ekCertificateFamilies } from '../support/ek-certificate-cells.ts'

export default scenario({
  id: 'registrar.certificates.strict',
  title:
    'A registrar that validates the profile of EK certificates rejects every one that violates it',
  requirements: ['REG-EKCERT-PROFILE-JUDGED', 'REG-EKCERT-PATH-VALIDATED'],
  role: 'registrar',
  since: '2.1',
  perMajor: true,
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
    for (const [kind, says] of [
      ['rsa-1024', 'of RSA with 1024 bits'],
      ['p-224', 'on P-224'],
    ] as const)
      check('REG-EKCERT-PROFILE-JUDGED', `registration with an EK ${says}`)
        .of(await register((await agent.otherEndorsementKey(kind)).members)) // the defect
        .matches(...REFUSED)
  },
})

import { REFUSED, results, scenario } from '../../../conformance/scenario.ts'
import { ekCertificateCells } from '../support/ek-certificate-cells.ts'

const cellOf = (defect: string) => `EK certificate ${defect}`
const OBSERVED = ['by-subordinate', 'no-use'] as const

export default scenario({
  id: 'registrar.certificates.profile',
  title: 'The registrar accepts only an EK certificate that its issuer may issue',
  requirements: ['REG-EKCERT-PROFILE', 'REG-EKCERT-PATH'],
  role: 'registrar',
  since: '2.1',
  perMajor: true,
  needs: ['ek_store'],
  variantOf: 'registrar.registration.accepted',
  matrix: {
    name: 'ek-certificates',
    cells: () => ekCertificateCells.map(({ defect }) => cellOf(defect)),
  },
  async run({ registrar, verifier, machines, check, asks, observe }) {
    const agent = await machines.pushAgent({ until: 'booted' })
    const asked = ekCertificateCells.filter(({ defect }) => asks(cellOf(defect)))
    for (const { defect, requirement, says } of asked) {
      const ekcert = await agent.ekCertificate(defect) // the defect
      const refusal = await agent.register({ ekcert })
      check(requirement, `registration with a certificate ${says}`, cellOf(defect))
        .of(refusal)
        .matches(...REFUSED)
      await registrar.delete(agent.id, verifier.admin)
    }
    for (const unlike of OBSERVED) {
      const reply = await agent.register({ ekcert: await agent.ekCertificate(unlike) })
      const answer = results(reply, 'blob') === undefined ? 'refused' : 'taken'
      observe('EKNOCERT', `a certificate ${unlike} if EK certificates are verified`, answer)
      await registrar.delete(agent.id, verifier.admin)
    }
  },
})

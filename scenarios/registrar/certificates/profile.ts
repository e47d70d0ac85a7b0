import { scenario } from '../../../conformance/scenario.ts'
import { ekCertificateFamilies } from '../support/ek-certificate-cells.ts'
import { cellOf, judgeFamily } from '../support/judge-family.ts'

const CELLS = ekCertificateFamilies.flatMap(({ cells }) => cells)

export default scenario({
  id: 'registrar.certificates.profile',
  title: 'The registrar validates the use and the path of each EK certificate in one way',
  requirements: ['REG-EKCERT-PROFILE', 'REG-EKCERT-PATH'],
  role: 'registrar',
  since: '2.1',
  perMajor: true,
  needs: ['ek_store'],
  variantOf: 'registrar.registration.accepted',
  matrix: { name: 'ek-certificates', cells: () => CELLS.map(({ defect }) => cellOf(defect)) },
  async run(context) {
    const { asks, machines } = context
    const agent = await machines.lightAgent({ until: 'booted' })
    for (const family of ekCertificateFamilies) {
      if (family.cells.some(({ defect }) => asks(cellOf(defect))))
        await judgeFamily(context, agent, family)
    }
  },
})

import { REFUSED, results, scenario } from '../../../conformance/scenario.ts'

const DEFECTS = [
  ['another-maker', 'REG-EKCERT-MAKER', 'an EK certificate by an untrusted maker'],
  [
    'impostor',
    'REG-EKCERT-SIGNATURE',
    'an EK certificate with the name of a trusted maker and another key',
  ],
  ['altered', 'REG-EKCERT-SIGNATURE', 'an EK certificate with an altered signature'],
  ['expired', 'REG-EKCERT-TIME', 'an EK certificate of an earlier decade'],
  ['not-yet-valid', 'REG-EKCERT-TIME', 'an EK certificate of a later decade'],
] as const

export default DEFECTS.map(([defect, requirement, what]) =>
  scenario({
    id: `registrar.certificates.untrusted.${defect}`,
    title: `The registrar rejects ${what} if it verifies EK certificates`,
    requirements: [requirement],
    role: 'registrar',
    since: '2.1',
    perMajor: true,
    needs: ['ek_store'],
    variantOf: 'registrar.registration.accepted',
    async run({ registrar, verifier, machines, check }) {
      const agent = await machines.pushAgent({ until: 'booted' })
      const ekcert = await agent.ekCertificate(defect) // the defect
      const refusal = await agent.register({ ekcert })
      check(requirement, 'registration')
        .of(refusal)
        .matches(...REFUSED)
      const uuids = results(await registrar.list(verifier.admin), 'uuids')
      check(requirement, 'whether it is listed despite the refusal')
        .of(Array.isArray(uuids) ? uuids.includes(agent.id) : undefined)
        .is(false)
    },
  }),
)

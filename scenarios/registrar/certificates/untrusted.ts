import { REFUSED, results, scenario } from '../../../conformance/scenario.ts'

const DEFECTS = [
  ['another-maker', 'REG-EKCERT-MAKER', 'by an untrusted maker'],
  ['self-issued', 'REG-EKCERT-MAKER', 'that names itself as issuer'],
  ['impostor', 'REG-EKCERT-SIGNATURE', 'with the name of a trusted maker and another key'],
  ['altered', 'REG-EKCERT-SIGNATURE', 'with an altered signature'],
  ['expired', 'REG-EKCERT-TIME', 'of an earlier decade'],
  ['not-yet-valid', 'REG-EKCERT-TIME', 'of a later decade'],
  ['expired-hour', 'REG-EKCERT-TIME', 'that expired an hour ago'],
  ['not-yet-valid-hour', 'REG-EKCERT-TIME', 'that is valid from in an hour'],
  ['expired-1999', 'REG-EKCERT-TIME', 'that ended with 1999'],
  [
    'impostor-of-subordinate',
    'REG-EKCERT-SIGNATURE',
    'with the name of a subordinate CA and another key',
  ],
  [
    'impostor-with-identifier',
    'REG-EKCERT-SIGNATURE',
    'with name and key identifier of a trusted maker and another key',
  ],
] as const

export default DEFECTS.map(([defect, requirement, what]) =>
  scenario({
    id: `registrar.certificates.untrusted.${defect}`,
    title: `The registrar rejects an EK certificate ${what} if it verifies EK certificates`,
    requirements: [requirement],
    role: 'registrar',
    since: '2.1',
    needs: ['ek_store'],
    variantOf: 'registrar.registration.accepted',
    async run({ registrar, verifier, machines, check }) {
      const agent = await machines.lightAgent({ until: 'activated' })
      await registrar.delete(agent.id, verifier.admin)
      const ekcert = await agent.ekCertificate(defect) // the defect; issuer and serial number are the same
      const refusal = await agent.register({ ekcert })
      const isRefused = check(requirement, 'registration')
        .of(refusal)
        .matches(...REFUSED)
      if (!isRefused) return
      const uuids = results(await registrar.list(verifier.admin), 'uuids')
      check(requirement, 'whether it is listed despite the refusal')
        .of(Array.isArray(uuids) ? uuids.includes(agent.id) : undefined)
        .is(false)
    },
  }),
)

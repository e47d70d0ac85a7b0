import { REFUSED, results, scenario } from '../../../conformance/scenario.ts'

const DEFECTS = [
  ['another-maker', 'REG-EKCERT-MAKER', 'An EK certificate by a maker that nobody named'],
  [
    'impostor',
    'REG-EKCERT-SIGNATURE',
    "An EK certificate with a known maker's name and another's key",
  ],
  ['altered', 'REG-EKCERT-SIGNATURE', 'An EK certificate whose signature was altered'],
  ['expired', 'REG-EKCERT-TIME', 'An EK certificate of an earlier decade'],
  ['not-yet-valid', 'REG-EKCERT-TIME', 'An EK certificate of a later decade'],
] as const

export default DEFECTS.map(([defect, requirement, what]) =>
  scenario({
    id: `registrar.certificates.untrusted.${defect}`,
    title: `${what} is refused where EK certificates are judged`,
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
      check(requirement, 'whether it is listed all the same')
        .of(Array.isArray(uuids) ? uuids.includes(agent.id) : undefined)
        .is(false)
    },
  }),
)

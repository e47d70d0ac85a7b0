import { base64, isRefusal, scenario } from '../../../conformance/scenario.ts'
import { aikNamedBy } from '../support/aik-named-by.ts'

export default scenario({
  id: 'registrar.registration.name-algorithm',
  title: 'The registrar seals the challenge for the Name of an AIK whose nameAlg is SHA-384',
  requirements: ['REG-BLOB-FOR-EK-AND-AIK'],
  role: 'registrar',
  since: '2.1',
  perMajor: true,
  variantOf: 'registrar.registration.accepted',
  async run({ machines, check, notApplicable }) {
    const agent = await machines.lightAgent({ until: 'booted' })
    const key = await agent.otherEndorsementKey('p-256')
    const aik = aikNamedBy(agent.machine.ak.public, 'sha384')
    const registration = await agent.register({ ...key.members, aik_tpm: base64(aik) })
    if (isRefusal(registration))
      notApplicable('the registrar does not register an EK on P-256, or an AIK with this nameAlg')
    const tag = await agent.openBlobWith(key, registration, aik)
    check('REG-BLOB-FOR-EK-AND-AIK', 'HTTP status of the activation')
      .of((await agent.activate(tag)).status)
      .is(200)
  },
})

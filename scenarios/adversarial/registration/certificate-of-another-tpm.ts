import { base64, REFUSED, results, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'adversarial.registration.certificate-of-another-tpm',
  title:
    'The registrar seals the challenge for the EK in the certificate, which the TPM of another agent cannot open',
  requirements: ['REG-EK-CERTIFIED'],
  role: 'registrar',
  since: '2.1',
  variantOf: 'registrar.registration.accepted',
  async run({ registrar, verifier, machines, random, check, cleanUp }) {
    const agent = await machines.pushAgent({ until: 'booted' })
    const other = await machines.boot()
    const { ekcert } = registrar.registrationOf(other)
    // The certificate is known, as that of the key that it is for.
    const known = random.uuid()
    const right = { ...registrar.registrationOf(other), ek_tpm: base64(other.ek.public) }
    await registrar.register(known, right)
    cleanUp(() => registrar.delete(known, verifier.admin))
    const own = {
      ...registrar.registrationOf(agent.machine),
      ek_tpm: base64(agent.machine.ek.public),
    }
    const registration = await registrar.register(agent.id, { ...own, ekcert }) // the defect
    cleanUp(() => registrar.delete(agent.id, verifier.admin))
    if (results(registration, 'blob') === undefined) {
      check('REG-EK-CERTIFIED', 'registration')
        .of(registration)
        .matches(...REFUSED)
      return
    }
    const opened = await agent.openBlob(registration).then(
      () => 'the challenge',
      () => 'nothing',
    )
    check(
      'REG-EK-CERTIFIED',
      'result of opening the blob in the TPM that sent the certificate of another TPM',
    )
      .of(opened)
      .is('nothing')
  },
})

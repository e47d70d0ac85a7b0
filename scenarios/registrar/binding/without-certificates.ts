import {
  base64,
  isRefusal,
  isSuccess,
  REFUSED,
  results,
  scenario,
} from '../../../conformance/scenario.ts'

export default scenario({
  id: 'registrar.binding.without-certificates',
  title:
    'The registrar tells TPMs without EK certificates apart, and shows no certificate of another TPM',
  requirements: [
    'REG-REQUEST-NO-EK-FIELD',
    'REG-OTHER-TPM-REFUSED',
    'REG-OTHER-TPM-HARMLESS',
    'REG-RECORD-EKCERT',
  ],
  role: 'registrar',
  since: '2.1',
  variantOf: 'registrar.registration.accepted',
  async run({ registrar, verifier, machines, check }) {
    const agent = await machines.lightAgent({ until: 'booted' })
    const later = await machines.lightAgent({ until: 'booted' })
    const other = await machines.softAgent({ until: 'booted' })
    const ekOf = ({ machine }: Pick<typeof agent | typeof other, 'machine'>) => ({
      ekcert: undefined,
      ek_tpm: base64(machine.ek.public),
    })
    const registration = await agent.register(ekOf(agent))
    check('REG-REQUEST-NO-EK-FIELD', 'registration with an EK only')
      .of(registration)
      .meets({ refused: isRefusal, accepted: isSuccess })
    if (!isSuccess(registration)) return
    await agent.activate(await agent.openBlob(registration))
    check('REG-OTHER-TPM-REFUSED', 'registration with the registered AIK and another EK')
      .of(await agent.register(ekOf(other))) // the defect
      .matches(...REFUSED)
    check('REG-OTHER-TPM-HARMLESS', 'ek_tpm afterwards')
      .of(results(await registrar.read(agent.id, verifier.admin), 'ek_tpm'))
      .is(base64(agent.machine.ek.public))
    const certified = await agent.register()
    if (isSuccess(certified)) {
      await agent.activate(await agent.openBlob(certified))
      check('REG-RECORD-EKCERT', 'ekcert of an agent that registered without one before')
        .of(results(await registrar.read(agent.id, verifier.admin), 'ekcert'))
        .is(base64(agent.machine.ek.certificate))
    }

    // Another TPM registers under the id before, with a certificate, and never activates.
    await later.register(registrar.registrationOf(other.machine))
    const second = await later.register(ekOf(later))
    if (!isSuccess(second)) return
    await later.activate(await later.openBlob(second))
    check('REG-RECORD-EKCERT', 'ekcert of the record of an agent without a certificate')
      .of(results(await registrar.read(later.id, verifier.admin), 'ekcert'))
      .matches(
        'not the certificate of the TPM that registered before',
        (ekcert) => ekcert !== base64(other.machine.ek.certificate),
      )
  },
})

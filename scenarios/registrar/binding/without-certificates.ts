import { base64, isSuccess, REFUSED, results, scenario } from '../../../conformance/scenario.ts'

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
    const other = await machines.softAgent({ until: 'booted' })
    const ekOf = ({ machine }: Pick<typeof agent | typeof other, 'machine'>) => ({
      ekcert: undefined,
      ek_tpm: base64(machine.ek.public),
    })
    // Another TPM registers under the id before, with a certificate, and never activates.
    await agent.register(registrar.registrationOf(other.machine))
    const registration = await agent.register(ekOf(agent))
    check('REG-REQUEST-NO-EK-FIELD', 'registration with an EK only')
      .of(registration)
      .meets({ refused: (reply) => !isSuccess(reply), accepted: isSuccess })
    if (!isSuccess(registration)) return
    await agent.activate(await agent.openBlob(registration))
    const read = (name: string) =>
      registrar.read(agent.id, verifier.admin).then((seen) => results(seen, name))
    check('REG-RECORD-EKCERT', 'ekcert of the record')
      .of(await read('ekcert'))
      .matches(
        'not the certificate of the TPM that registered before',
        (ekcert) => ekcert !== base64(other.machine.ek.certificate),
      )
    check('REG-OTHER-TPM-REFUSED', 'registration with the registered AIK and another EK')
      .of(await agent.register(ekOf(other))) // the defect
      .matches(...REFUSED)
    check('REG-OTHER-TPM-HARMLESS', 'ek_tpm afterwards')
      .of(await read('ek_tpm'))
      .is(base64(agent.machine.ek.public))
  },
})

import {
  base64,
  isRefusal,
  isSuccess,
  REFUSED,
  results,
  scenario,
} from '../../../conformance/scenario.ts'

export default scenario({
  id: 'registrar.registration.without-ek-certificate',
  title:
    'The registrar rejects a registration without an EK certificate, or binds it to the given EK',
  requirements: [
    ...['REG-REQUEST-EKCERT-MISSING', 'REG-REQUEST-NO-EK-FIELD', 'REG-BLOB-FOR-EK-AND-AIK'],
  ],
  role: 'registrar',
  since: '2.1',
  variantOf: 'registrar.registration.accepted',
  async run({ registrar, verifier, machines, check, observe }) {
    const agent = await machines.pushAgent({ until: 'booted' })
    const nothing = await agent.register({ ekcert: undefined, ek_tpm: undefined })
    check('REG-REQUEST-EKCERT-MISSING', 'registration with neither certificate nor EK')
      .of(nothing)
      .matches(...REFUSED)
    const ek_tpm = base64(agent.machine.ek.public)
    const bare = await agent.register({ ekcert: undefined, ek_tpm }) // the defect
    observe('ek-without-certificate', 'registration', bare.status)
    check('REG-REQUEST-NO-EK-FIELD', 'registration with an EK only')
      .of(bare)
      .meets({ refused: isRefusal, accepted: isSuccess })
    if (!isSuccess(bare)) return
    check('REG-REQUEST-NO-EK-FIELD', 'result of opening the blob in the TPM')
      .of(results(bare, 'blob') === undefined ? 'no blob' : await agent.tryBlob(bare))
      .is('opened')
    await registrar.delete(agent.id, verifier.admin)
    const key = await agent.otherEndorsementKey('rsa-17')
    const unusual = await agent.register({ ...key.members, ekcert: undefined }) // the defect
    observe('ek-exponent', 'registration with an EK whose exponent is 17', unusual.status)
    if (isRefusal(unusual)) return
    check('REG-BLOB-FOR-EK-AND-AIK', 'HTTP status of the activation with that EK')
      .of((await agent.activate(await agent.openBlobWith(key, unusual))).status)
      .is(200)
  },
})

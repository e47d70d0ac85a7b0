import { isSuccess, REFUSED, scenario } from '../../../conformance/scenario.ts'
import { UNUSABLE_CERTIFICATE } from '../support/unusable-certificate.ts'

const NO_CERTIFICATE = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'

/** Values of members that have another type, or another form, than the table of the document gives them. */
const DEFECTS: readonly (readonly [member: string, value: unknown])[] = [
  ['aik_tpm', 7],
  ['aik_tpm', null],
  ['aik_tpm', ['AAAA']],
  ['aik_tpm', '%%%'],
  ['aik_tpm', 'AAAA'],
  ['ekcert', 7],
  ['ekcert', '%%%'],
  ['ekcert', 'AAAA'],
  ['ekcert', UNUSABLE_CERTIFICATE],
  ['mtls_cert', 7],
  ['mtls_cert', { pem: NO_CERTIFICATE }],
  ['mtls_cert', NO_CERTIFICATE],
  ['ip', 7],
  ['ip', ['127.0.0.1']],
  ['ip', '127.0.0.1\nagent: trusted'],
  ['port', 'ssh'],
  ['port', '9002x'],
  ['port', '0x232A'],
  ['port', '9e3'],
  ['port', true],
  ['port', ['9002']],
]

export default scenario({
  id: 'registrar.registration.malformed',
  title: 'The registrar registers no agent of which one member has another type or form',
  requirements: ['REG-REGISTER-MALFORMED'],
  role: 'registrar',
  since: '2.1',
  variantOf: 'registrar.registration.accepted',
  async run({ registrar, verifier, machines, check }) {
    const agent = await machines.pushAgent({ until: 'booted' })
    const row = 'REG-REGISTER-MALFORMED'
    for (const [member, value] of DEFECTS) {
      const what = `with ${JSON.stringify(value).slice(0, 60)} for ${member}`
      const reply = await agent.register({ [member]: value }) // the defect
      check(row, `a registration ${what}`)
        .of(reply)
        .matches(...REFUSED)
      check(row, `reading an agent that was not registered ${what}`)
        .of(await registrar.read(agent.id, verifier.admin))
        .matches(...REFUSED)
    }
    const sound = await agent.register({})
    const isTaken = check(row, 'the same registration without a defect')
      .of(sound)
      .matches('a success', isSuccess)
    if (!isTaken) return
    await agent.register({ mtls_cert: NO_CERTIFICATE }) // the defect
    check(row, 'activation of it after another registration with a defect')
      .of(await agent.activate(await agent.openBlob(sound)))
      .matches('a success', isSuccess)
  },
})

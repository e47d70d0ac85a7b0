import { base64, results, scenario } from '../../../conformance/scenario.ts'
import { isEndorsementKey } from '../support/key-forms.ts'
import { registerLegacy } from '../support/legacy-registration.ts'

/** Members of the legacy listing that the document leaves no choice about. */
const MEMBERS = ['EK', 'EKCERT', 'TPM-VERSION', 'AIK-NAME', 'EK-TPM'] as const

export default scenario({
  id: 'registrar.registration.legacy',
  title: 'The registrar registers and activates an agent by the members of the legacy listing',
  requirements: [
    ...MEMBERS.map((name) => `LEG-REG-REGISTER-${name}`),
    ...['LEG-REG-REGISTER-AIK', 'LEG-REG-REGISTER-AIK-VALUE', 'LEG-REG-REGISTER-NO-MTLS-CERT'],
    'LEG-REG-ACTIVATE-AUTH-TAG',
  ],
  role: 'registrar',
  since: '2.0',
  until: '2.0',
  async run(context) {
    const { registrar, verifier, machines, check } = context
    const agent = await machines.lightAgent({ until: 'booted' })
    const { form, reply } = await registerLegacy(context, agent)
    for (const name of MEMBERS)
      check(`LEG-REG-REGISTER-${name}`, 'HTTP status of the registration').of(reply.status).is(200)
    const isAccepted = reply.status === 200
    check('LEG-REG-REGISTER-AIK', 'the member of the AIK that is accepted')
      .of(isAccepted ? form.aik : 'none')
      .meets({ aik: (name) => name === 'aik', aik_tpm: (name) => name === 'aik_tpm' })
    check('LEG-REG-REGISTER-AIK-VALUE', 'the form of the AIK that is accepted')
      .of(isAccepted ? form.keys : 'none')
      .meets({
        'as aik_tpm': (one) => one === 'as aik_tpm',
        otherwise: (one) => one === 'otherwise',
      })
    check('LEG-REG-REGISTER-NO-MTLS-CERT', 'mtls_cert of the registration that is accepted')
      .of(isAccepted ? form.mtlsCert : 'none')
      .meets({ absent: (one) => one === 'absent', there: (one) => one === 'there' })

    const activation = await agent.activate(await agent.openBlob(reply))
    check('LEG-REG-ACTIVATE-AUTH-TAG', 'HTTP status of the activation')
      .of(activation.status)
      .is(200)
    const record = await registrar.read(agent.id, verifier.admin)
    check('LEG-REG-REGISTER-EKCERT', 'ekcert of the record')
      .of(results(record, 'ekcert'))
      .is(base64(agent.machine.ek.certificate))
    check('LEG-REG-REGISTER-EK-TPM', 'ek_tpm of the record')
      .of(results(record, 'ek_tpm'))
      .matches('the key of the EK certificate', (key) => isEndorsementKey(key, agent.machine))
  },
})

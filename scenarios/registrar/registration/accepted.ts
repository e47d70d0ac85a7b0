import { at, base64, results, scenario } from '../../../conformance/scenario.ts'
import { isEndorsementKey } from '../support/key-forms.ts'

const BASE64 = /^[A-Za-z0-9+/]{40,}={0,2}$/

export default scenario({
  id: 'registrar.registration.accepted',
  title: 'The registrar registers and activates a TPM, and returns its registered keys',
  requirements: [
    'REG-REGISTER-STATUS',
    'REG-ENVELOPE-CODE',
    'REG-ENVELOPE-STATUS',
    'REG-ENVELOPE-RESULTS',
    'REG-BLOB-TEXT',
    'REG-BLOB-FOR-EK-AND-AIK',
    'REG-ACTIVATE-STATUS',
    'REG-RECORD-AIK',
    'REG-RECORD-EK',
    'REG-RECORD-EK-BASE64',
    'REG-RECORD-EKCERT',
    'REG-RECORD-IP',
    'REG-RECORD-PORT',
    'REG-RECORD-REGCOUNT',
  ],
  role: 'registrar',
  provesFunction: true,
  since: '2.1',
  async run({ registrar, verifier, machines, check }) {
    const agent = await machines.pushAgent({ until: 'booted' })
    const { ek, ak } = agent.machine
    const registration = await agent.register()
    check('REG-REGISTER-STATUS', 'HTTP status').of(registration.status).is(200)
    check('REG-ENVELOPE-CODE', 'code').of(at(registration.body, 'code')).is(200)
    check('REG-ENVELOPE-STATUS', 'status')
      .of(at(registration.body, 'status'))
      .matches('a text', (text) => typeof text === 'string')
    check('REG-BLOB-TEXT', 'results.blob')
      .of(results(registration, 'blob'))
      .matches('a base64 text', (blob) => BASE64.test(String(blob)))

    const tag = await agent.openBlob(registration)
    const activation = await agent.activate(tag)
    check('REG-BLOB-FOR-EK-AND-AIK', 'activation with the secret that the TPM found in the blob')
      .of(activation.status)
      .is(200)
    check('REG-ACTIVATE-STATUS', 'HTTP status').of(activation.status).is(200)
    check('REG-ENVELOPE-RESULTS', 'results of the activation').of(results(activation)).is({})

    const seen = await registrar.read(agent.id, verifier.admin)
    check('REG-RECORD-AIK', 'aik_tpm').of(results(seen, 'aik_tpm')).is(base64(ak.public))
    check('REG-RECORD-EK', 'ek_tpm')
      .of(results(seen, 'ek_tpm'))
      .matches('the key of the EK certificate', (key) => isEndorsementKey(key, agent.machine))
    check('REG-RECORD-EK-BASE64', 'ek_tpm')
      .of(results(seen, 'ek_tpm'))
      .matches('a base64 text', (key) => BASE64.test(String(key)))
    check('REG-RECORD-EKCERT', 'ekcert').of(results(seen, 'ekcert')).is(base64(ek.certificate))
    check('REG-RECORD-IP', 'ip').of(results(seen, 'ip')).is('127.0.0.1')
    check('REG-RECORD-PORT', 'port')
      .of(results(seen, 'port'))
      .meets({ integer: (port) => port === 9002, text: (port) => port === '9002' })
    check('REG-RECORD-REGCOUNT', 'regcount')
      .of(results(seen, 'regcount'))
      .matches('an integer', Number.isInteger)
  },
})

import { results, scenario } from '../../../conformance/scenario.ts'
import { SOME_SERVER_CERTIFICATE } from '../support/engine.ts'

export default scenario({
  id: 'registrar.records.contact',
  title:
    'The registrar accepts an agent without address, port or server certificate, and returns given ones unchanged',
  requirements: [
    'REG-REQUEST-IP-OPTIONAL',
    'REG-REQUEST-PORT-OPTIONAL',
    'REG-REQUEST-PORT-TEXT',
    'REG-REQUEST-PORT-NUMBER',
    'REG-REQUEST-MTLS-CERT',
    'REG-REQUEST-MTLS-CERT-PEM',
    'REG-RECORD-MTLS-CERT',
    'REG-RECORD-MTLS-CERT-PEM',
    'REG-RECORD-IP-NULL',
    'REG-RECORD-PORT-NULL',
  ],
  role: 'registrar',
  provesFunction: true,
  since: '2.1',
  async run({ registrar, verifier, machines, check }) {
    const agent = await machines.pushAgent({ until: 'booted' })
    const recordAfter = async (members: Readonly<Record<string, unknown>>) => {
      const registration = await agent.register(members)
      const { status } = await agent.activate(await agent.openBlob(registration))
      const record = await registrar.read(agent.id, verifier.admin)
      await registrar.delete(agent.id, verifier.admin)
      return { status, of: (member: string) => results(record, member) }
    }
    const none = await recordAfter({ ip: undefined, port: undefined })
    check('REG-REQUEST-IP-OPTIONAL', 'activation after it').of(none.status).is(200)
    check('REG-REQUEST-PORT-OPTIONAL', 'activation after it').of(none.status).is(200)
    check('REG-RECORD-IP-NULL', 'ip').of(none.of('ip')).is(null)
    check('REG-RECORD-PORT-NULL', 'port').of(none.of('port')).is(null)
    const portOnly = await recordAfter({
      ip: undefined,
      port: '9557',
      mtls_cert: SOME_SERVER_CERTIFICATE,
    })
    check('REG-RECORD-IP-NULL', 'ip beside a port').of(portOnly.of('ip')).is(null)
    check('REG-REQUEST-IP-OPTIONAL', 'port without an ip')
      .of(portOnly.of('port'))
      .isOneOf([9557, '9557'])
    check('REG-REQUEST-IP-OPTIONAL', 'mtls_cert without an ip')
      .of(String(portOnly.of('mtls_cert')).trim())
      .is(SOME_SERVER_CERTIFICATE.trim())
    const ipOnly = await recordAfter({ port: undefined })
    check('REG-REQUEST-PORT-OPTIONAL', 'ip without a port').of(ipOnly.of('ip')).is('127.0.0.1')
    const asText = await recordAfter({ port: '65535', mtls_cert: SOME_SERVER_CERTIFICATE })
    check('REG-REQUEST-PORT-TEXT', 'port').of(asText.of('port')).isOneOf([65535, '65535'])
    check('REG-REQUEST-MTLS-CERT', 'activation after it').of(asText.status).is(200)
    check('REG-REQUEST-MTLS-CERT-PEM', 'activation after it').of(asText.status).is(200)
    const kept = String(asText.of('mtls_cert'))
    check('REG-RECORD-MTLS-CERT', 'mtls_cert').of(kept.trim()).is(SOME_SERVER_CERTIFICATE.trim())
    check('REG-RECORD-MTLS-CERT-PEM', 'mtls_cert')
      .of(kept)
      .matches('PEM', (text) => text.startsWith('-----BEGIN CERTIFICATE-----'))
    const pem = (text: unknown) =>
      String(text)
        .trim()
        .split(/\s*\n\s*/)
    const chain = `${SOME_SERVER_CERTIFICATE.trim()}\n${verifier.admin.certificate?.cert.trim()}\n`
    const asChain = await recordAfter({ mtls_cert: chain })
    if (asChain.status === 200)
      check('REG-RECORD-MTLS-CERT', 'mtls_cert with a second certificate')
        .of(pem(asChain.of('mtls_cert')).join('\n'))
        .isOneOf(
          [chain, SOME_SERVER_CERTIFICATE].map((certificates) => pem(certificates).join('\n')),
        )
    const asNumber = await recordAfter({ port: 40000 })
    check('REG-REQUEST-PORT-NUMBER', 'port').of(asNumber.of('port')).isOneOf([40000, '40000'])
  },
})

import { scenario } from '../../../conformance/scenario.ts'
import { checkRoutes } from '../support/check-routes.ts'
import { checkAttestationKey, checkEndorsement, freshNonce } from '../support/engine.ts'
import { fits, issuedFor } from '../support/own-certificate.ts'

export default scenario({
  id: 'pull-agent.registration.record',
  title:
    'A pull agent registers the keys of its TPM and its server certificate, and answers the challenge',
  requirements: [
    'AGT-REG-ID',
    'AGT-REG-EK',
    'AGT-REG-AIK',
    ...['AGT-REG-CERTIFICATE', 'AGT-REG-CERTIFICATE-SIGNED'],
    ...['AGT-REG-IP', 'AGT-REG-PORT', 'AGT-REG-PORT-TEXT'],
    'AGT-REG-ACTIVATES',
    'AGT-REG-AUTH-TAG',
    'AGT-TLS-CERTIFICATE',
    'CRT-AGENT-NEEDS-CA',
    'CRT-PULL-OWN-USAGES',
    'CRT-TENANT-CERTIFICATE-AGENT',
  ],
  role: 'pull_agent',
  seconds: 3,
  since: '2.1',
  until: '2.5',
  perMajor: true,
  async run({ pullAgents, random, check, observe }) {
    const agent = await pullAgents.shared()
    const { agentId, body, activated } = agent.registration
    check('AGT-REG-ID', 'the id that it registered').of(agentId).is(agent.id)
    checkEndorsement(check, 'AGT-REG-EK', agent)
    checkAttestationKey(check, 'AGT-REG-AIK', body['aik_tpm'])
    check('AGT-REG-CERTIFICATE', 'mtls_cert')
      .of(String(body['mtls_cert']).split('\n')[0])
      .is('-----BEGIN CERTIFICATE-----')
    const issued = issuedFor(String(body['mtls_cert']))
    if (issued?.by === 'the agent')
      check('AGT-REG-CERTIFICATE-SIGNED', 'whether its own key signed a certificate of the agent')
        .of(issued.isSelfSigned)
        .is(true)
    check('CRT-PULL-OWN-USAGES', 'who issued mtls_cert, and its extended key usages')
      .of(issued)
      .matches(
        'usages with that of servers, which is the only one unless the agent issued it',
        fits,
      )
    const { ip, port } = body
    check('AGT-REG-IP', 'ip')
      .of(ip)
      .matches('absent, or an IPv4 address of one interface', isContact)
    if (port !== undefined && port !== null) {
      check('AGT-REG-PORT', 'port').of(String(port)).is(new URL(agent.url).port)
      check('AGT-REG-PORT-TEXT', 'the type of port')
        .of(typeof port)
        .is('string')
    }
    observe('EKCERT', 'the form of ekcert', formOf(body['ekcert']))
    check('AGT-REG-ACTIVATES', 'the answer to the challenge')
      .of(activated)
      .isOneOf(['base64', 'raw'])
    checkRoutes({ check }, agent)
    check('AGT-REG-AUTH-TAG', 'the form of the challenge').of(activated).isOneOf(['base64', 'raw'])
    // The client trusts only the certificate of the registration.
    const reply = await agent.identity(freshNonce(random))
    check('AGT-TLS-CERTIFICATE', 'HTTP status, over TLS').of(reply.status).is(200)
    check('CRT-AGENT-NEEDS-CA', 'a client of the configured authority').of(reply.status).is(200)
    check('CRT-TENANT-CERTIFICATE-AGENT', 'HTTP status').of(reply.status).is(200)
  },
})

const IPV4 = /^\d{1,3}(\.\d{1,3}){3}$/
const isContact = (ip: unknown) =>
  ip === undefined || ip === null || (IPV4.test(String(ip)) && ip !== '0.0.0.0')

const formOf = (text: unknown) =>
  String(text).startsWith('-----BEGIN') ? 'PEM' : text === '' ? 'empty' : 'base64'

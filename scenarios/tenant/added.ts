import { scenario } from '../../conformance/scenario.ts'
import {
  addedBody,
  certificatesShown,
  openPayload,
  requireU,
  tenantKeys,
  tenantOperations,
} from './support/tenant-operations.ts'

const PAYLOAD = 'a payload of the harness\n'
const TWENTY = /^[A-Za-z0-9]{20}$/

export default scenario({
  id: 'tenant.added',
  title:
    'A tenant adds an agent with a payload: it splits K, verifies the identity of the agent, and has it prove K',
  requirements: [
    ...['TEN-CONTACTS-AGENT', 'TEN-MANAGES-AGENTS', 'TEN-CLIENT-CERTIFICATE'],
    ...['TEN-CLIENT-CERTIFICATE-REGISTRAR', 'TEN-CLIENT-CERTIFICATE-AGENT'],
    ...['TEN-NO-AUTHORIZATION-HEADER', 'TEN-READS-REGISTRAR', 'TEN-ADDS-AK', 'TEN-ADDS-MTLS-CERT'],
    ...['TEN-IDENTITY-NONCE', 'TEN-ADDS-V', 'TEN-SENDS-U', 'TEN-SENDS-U-ENCRYPTED'],
    ...['TEN-SENDS-AUTH-TAG', 'TEN-SENDS-PAYLOAD', 'TEN-VERIFIES-DERIVATION'],
    ...[
      'TEN-VERIFIES-CHALLENGE-FORM',
      'TEN-SUPPORTED-VERSION',
      'TEN-EXIT-DONE',
      'TEN-ADDS-MEMBERS',
    ],
  ],
  role: 'tenant',
  provesFunction: true,
  since: '2.1',
  until: '2.5',
  perMajor: true,
  async run({ tenants, check, observe }) {
    const stage = await tenants.stage()
    const file = stage.file('payload', PAYLOAD)
    const { code } = await stage.run('-c', 'add', '-u', stage.agentId, '-f', file, '--verify')
    const operations = tenantOperations(stage)
    const { countRequests, added, ukey, nonce, challenge, order } = operations
    observe('TENANTORDER', 'its requests, in order', order)
    requireU(operations, code)
    const { u, v, k, tagFits } = tenantKeys(stage, added[0] ?? {})
    check('TEN-SENDS-U-ENCRYPTED', 'whether the agent can decrypt it')
      .of(u !== undefined)
      .is(true)
    check('TEN-SENDS-U', 'bytes of U at the agent').of(u?.length).is(32)
    const body = addedBody(operations, code)
    check('TEN-ADDS-V', 'bytes of V at the verifier')
      .of(v?.length)
      .meets({
        'to the verifier': (length) => length === 32,
        'to the agent': (length) => length === undefined,
      })
    check('TEN-SENDS-AUTH-TAG', 'the tag is over the UUID with K').of(tagFits).is(true)
    check('TEN-SENDS-PAYLOAD', 'the payload, opened with K')
      .of(openPayload(k, ukey['payload']))
      .is(PAYLOAD)
    check('TEN-VERIFIES-DERIVATION', 'requests keys/verify')
      .of(challenge !== undefined)
      .is(true)
    check('TEN-VERIFIES-CHALLENGE-FORM', 'challenge')
      .of(challenge)
      .matches('20 letters and digits', (text) => TWENTY.test(String(text)))
    check('TEN-CONTACTS-AGENT', 'requests to the agent')
      .of(countRequests('agent') > 0)
      .is(true)
    check('TEN-READS-REGISTRAR', 'requests to the registrar')
      .of(countRequests('registrar') > 0)
      .is(true)
    for (const [peer, id] of [
      ['verifier', 'TEN-CLIENT-CERTIFICATE'],
      ['registrar', 'TEN-CLIENT-CERTIFICATE-REGISTRAR'],
      ['agent', 'TEN-CLIENT-CERTIFICATE-AGENT'],
    ] as const)
      check(id, `certificates presented to the ${peer}`)
        .of(certificatesShown(stage, peer))
        .is(['trusted'])
    const authorized = stage.requests.filter(
      ({ request }) => 'authorization' in request.headers,
    ).length
    check('TEN-NO-AUTHORIZATION-HEADER', 'requests with the header').of(authorized).is(0)
    check('TEN-MANAGES-AGENTS', 'agents added at the verifier').of(added.length).is(1)
    check('TEN-ADDS-AK', 'ak_tpm').of(body['ak_tpm']).is(stage.aikTpm)
    check('TEN-ADDS-MTLS-CERT', 'mtls_cert')
      .of(String(body['mtls_cert']).trim())
      .is(stage.certificate.trim())
    check('TEN-SUPPORTED-VERSION', 'supported_version').of(body['supported_version']).is('2.5')
    check('TEN-IDENTITY-NONCE', 'nonce')
      .of(nonce)
      .matches('20 letters and digits', (text) => TWENTY.test(String(text)))
    // An agent refuses keys with another tag, and a verifier may refuse a second addition.
    if (tagFits && added.length === 1) check('TEN-EXIT-DONE', 'exit code').of(code).is(0)
  },
})

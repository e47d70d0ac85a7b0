import { at, base64, jsonIn, results, scenario } from '../../conformance/scenario.ts'

const DIGESTS = ['ab'.repeat(32), 'cd'.repeat(20)]
const POLICY = { 7: DIGESTS.toReversed(), 22: DIGESTS, mask: '0x400C00' }
const METADATA = { cert_serial: 7, subject: '/CN=an agent of Zürich \u{5b89}' }
/** A serial number as certificates have it, of 20 bytes: more than a JSON reader of JavaScript keeps. */
const SERIAL = '620304829461092283466203048294610922834662030481'
/** A subject with the longest values that RFC 5280 allows (appendix A.1). */
const SUBJECT = [
  ...['C=NZ', `ST=${'s'.repeat(128)}`, `L=${'l'.repeat(128)}`],
  ...[`O=${'o'.repeat(64)}`, `OU=${'u'.repeat(64)}`, `CN=${'n'.repeat(64)}`],
].join(',')
/** An address of this computer that is no four numbers, in the form of RFC 5952. */
const LONG_ADDRESS = '::ffff:127.0.0.1'
const ALGORITHMS = {
  accept_tpm_hash_algs: ['sm3_256', 'sha512', 'sha256', 'sha1'],
  accept_tpm_encryption_algs: ['ecc', 'rsa', 'rsa3072'],
  accept_tpm_signing_algs: ['ecschnorr', 'ecdsa', 'rsassa'],
}

const isJson = (type: string | undefined) => type?.startsWith('application/json') === true

export default scenario({
  id: 'verifier.agent-values',
  title: 'The verifier returns the values with which an agent was added',
  requirements: [
    ...['VER-STATUS-HASHES-VALUE', 'VER-STATUS-ENCRYPTIONS-VALUE', 'VER-STATUS-SIGNINGS-VALUE'],
    ...['VER-STATUS-META-VALUE', 'VER-STATUS-POLICY-JSON', 'VER-STATUS-POLICY-MASK'],
    ...['VER-STATUS-POLICY-DIGESTS', 'VER-STATUS-IP-VALUE', 'VER-STATUS-PORT-VALUE'],
    ...['VER-STATUS-V-VALUE', 'VER-STATUS-VTPM-SHAPE'],
    ...['VER-STATUS-VERIFIER-ID', 'VER-STATUS-VERIFIER-ADDRESS', 'VER-STATUS-READ-200'],
    ...['VER-ADD-HASHES', 'VER-ADD-ENCRYPTIONS', 'VER-ADD-SIGNINGS', 'VER-ADD-METADATA'],
    ...['VER-ADD-METADATA-CA', 'VER-ADD-POLICY-NAME-NULL', 'VER-ADD-METADATA-NAME'],
    'VER-JSON',
  ],
  role: 'verifier',
  since: '2.1',
  until: '2.5',
  async run({ machines, verifier, random, check }) {
    const agent = await machines.softAgent({ until: 'activated' })
    const v = base64(random.bytes(32))
    const added = await agent.enrol({
      v,
      ...ALGORITHMS,
      tpm_policy: JSON.stringify(POLICY),
      metadata: JSON.stringify(METADATA),
      runtime_policy_name: null,
      cloudagent_ip: '127.0.0.1',
      cloudagent_port: '9',
    })
    check('VER-ADD-POLICY-NAME-NULL', 'HTTP status of adding it').of(added.status).is(200)
    const record = await verifier.readAgent(agent.id)
    check('VER-STATUS-READ-200', 'HTTP status').of(record.status).is(200)
    check('VER-JSON', 'media types of the answers')
      .of([added, record].map(({ headers }) => headers['content-type']))
      .matches('application/json', (types) => types.every(isJson))
    const checkSame = (requirement: string, member: string, expected: unknown) =>
      check(requirement, member).of(results(record, member)).is(expected)
    const [hashes, encryptions, signings] = Object.entries(ALGORITHMS)
    const lists = { HASHES: hashes, ENCRYPTIONS: encryptions, SIGNINGS: signings }
    for (const [name, [member = '', expected] = []] of Object.entries(lists)) {
      checkSame(`VER-STATUS-${name}-VALUE`, member, expected)
      checkSame(`VER-ADD-${name}`, member, expected)
    }
    const metadata = jsonIn(results(record, 'meta_data') ?? results(record, 'metadata'))
    check('VER-ADD-METADATA-NAME', 'members of the record')
      .of(Object.keys(results(record) ?? {}))
      .meets({
        meta_data: (members) => members.includes('meta_data'),
        metadata: (members) => members.includes('metadata'),
      })
    for (const requirement of ['VER-STATUS-META-VALUE', 'VER-ADD-METADATA', 'VER-ADD-METADATA-CA'])
      check(requirement, 'metadata').of(metadata).is(METADATA)
    const policy = jsonIn(results(record, 'tpm_policy'))
    check('VER-STATUS-POLICY-JSON', 'type of the JSON')
      .of(typeof policy)
      .is('object')
    check('VER-STATUS-POLICY-MASK', 'mask')
      .of(at(policy, 'mask'))
      .matches('a hexadecimal text with PCR 22', (mask) => (Number(mask) & (1 << 22)) !== 0)
    check('VER-STATUS-POLICY-DIGESTS', 'digests of PCR 7 and 22')
      .of([at(policy, 7), at(policy, 22)])
      .is([POLICY[7], DIGESTS])
    check('VER-STATUS-VTPM-SHAPE', 'digests of PCR 22 for a vTPM, of which none were added')
      .of(at(jsonIn(results(record, 'vtpm_policy')), 22))
      .is(undefined)
    check('VER-STATUS-V-VALUE', 'v, unless it is kept back')
      .of(results(record, 'v') ?? v)
      .is(v)
    checkSame('VER-STATUS-IP-VALUE', 'ip', '127.0.0.1')
    check('VER-STATUS-PORT-VALUE', 'port')
      .of(results(record, 'port'))
      .matches('9, as a text or a number', (shown) => String(shown) === '9')
    check('VER-STATUS-VERIFIER-ID', 'verifier_id')
      .of(results(record, 'verifier_id'))
      .matches('a text, and not the id of the agent', (id) => {
        return typeof id === 'string' && id !== '' && id !== agent.id
      })
    check('VER-STATUS-VERIFIER-ADDRESS', 'port of the verifier')
      .of(Number(results(record, 'verifier_port')))
      .is(Number(new URL(verifier.url).port))
    const deletion = await verifier.deleteAgent(agent.id)
    // RFC 9110, 15.3.3: after 202 it has not ended.
    const other = deletion.status === 202 ? await machines.softAgent({ until: 'activated' }) : agent
    await other.enrol({
      metadata: `{"cert_serial": ${SERIAL}, "subject": "${SUBJECT}"}`,
      ...{ cloudagent_ip: LONG_ADDRESS, cloudagent_port: '9' },
    })
    const seen = await verifier.readAgent(other.id)
    check('VER-STATUS-IP-VALUE', 'ip of IPv6').of(results(seen, 'ip')).is(LONG_ADDRESS)
    if (results(seen, 'verifier_id') === results(record, 'verifier_id'))
      check('VER-STATUS-VERIFIER-ADDRESS', 'verifier_ip beside another address of the agent')
        .of(results(seen, 'verifier_ip'))
        .is(results(record, 'verifier_ip'))
    check('VER-STATUS-V-VALUE', 'v of an agent that was added again without it')
      .of(results(seen, 'v'))
      .isNot(v)
    const { text } = seen
    check('VER-STATUS-META-VALUE', 'whether the record has all of a long cert_serial and subject')
      .of([SERIAL, SUBJECT].map((value) => text.includes(value)))
      .is([true, true])
  },
})

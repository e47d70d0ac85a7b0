import { isRefusal, isSuccess, results, scenario } from '../../conformance/scenario.ts'
import { enrolmentOf, keyringOf, makeFileSigner } from './support/engine.ts'

/** Members that the document does not mark as optional. */
const UNMARKED = [
  ...['cloudagent_ip', 'cloudagent_port', 'tpm_policy', 'ak_tpm', 'mtls_cert', 'runtime_policy'],
  ...['mb_refstate', 'ima_sign_verification_keys', 'metadata', 'revocation_key'],
  ...['accept_tpm_hash_algs', 'accept_tpm_encryption_algs', 'accept_tpm_signing_algs'],
  'supported_version',
]
const LISTS = {
  'VER-STATUS-HASHES-VALUE': 'accept_tpm_hash_algs',
  'VER-STATUS-ENCRYPTIONS-VALUE': 'accept_tpm_encryption_algs',
  'VER-STATUS-SIGNINGS-VALUE': 'accept_tpm_signing_algs',
}
const ADDRESS = { cloudagent_ip: '127.0.0.1', cloudagent_port: '9' }

export default scenario({
  id: 'verifier.agent-forms',
  title: 'The verifier adds an agent in other forms of the request, or rejects them',
  requirements: [
    ...['VER-ADD-POLICY-NAME-OPTIONAL', 'VER-ADD-KEYRING', 'VER-ADD-PORT'],
    ...['VER-ADD-ADDRESS-NAMES', 'VER-ADD-REQUIRED', ...Object.keys(LISTS)],
    'VER-STATUS-PORT-VALUE',
  ],
  role: 'verifier',
  since: '2.1',
  until: '2.5',
  variantOf: 'verifier.agent-values',
  async run({ machines, verifier, check, cleanUp }) {
    const add = async (change: object) => {
      const { id, machine } = await machines.softAgent({ until: 'activated' })
      cleanUp(() => verifier.deleteAgent(id))
      const reply = await verifier.call('add-agent', {
        ...{ params: { agent_id: id }, as: verifier.admin, defect: 'another form' },
        body: { ...enrolmentOf(machine, {}, verifier.dialect), ...ADDRESS, ...change },
      })
      const record = isSuccess(reply) ? await verifier.readAgent(id) : reply
      return { reply, record, ip: results(record, 'ip'), port: results(record, 'port') }
    }
    const unnamed = await add({ runtime_policy_name: undefined })
    check('VER-ADD-POLICY-NAME-OPTIONAL', 'HTTP status').of(unnamed.reply.status).is(200)
    const keyring = await add({ ima_sign_verification_keys: keyringOf([makeFileSigner()]) })
    check('VER-ADD-KEYRING', 'HTTP status').of(keyring.reply.status).is(200)
    const { reply, port } = await add({ cloudagent_port: 9 })
    check('VER-ADD-PORT', 'the answer to a port that is a number')
      .of(reply)
      .meets({
        number: (one) => isSuccess(one) && String(port) === String(unnamed.port),
        string: isRefusal,
      })
    const high = await add({ cloudagent_port: '70000' }) // above the last port
    check('VER-STATUS-PORT-VALUE', 'port above 65535, unless it is refused')
      .of(isRefusal(high.reply) ? 'refused' : String(high.port))
      .isOneOf(['refused', '70000'])
    const none = { cloudagent_ip: undefined, cloudagent_port: undefined }
    const renamed = await add({ ...none, ip: '127.0.0.1', port: 9 })
    check('VER-ADD-ADDRESS-NAMES', 'the answer to an address as ip and port')
      .of(renamed.reply)
      .meets({
        ip: (one) => isSuccess(one) && renamed.ip === '127.0.0.1',
        cloudagent_ip: (one) => isRefusal(one) || (isSuccess(one) && renamed.ip !== '127.0.0.1'),
      })
    for (const [requirement, member] of Object.entries(LISTS)) {
      const none = await add({ [member]: [] })
      check(requirement, `${member} of an agent that was added with an empty list`)
        .of(isRefusal(none.reply) ? [] : results(none.record, member))
        .is([])
    }
    for (const name of UNMARKED) {
      const left = await add({ [name]: undefined })
      check('VER-ADD-REQUIRED', `the answer to a request without ${name}`)
        .of(left.reply)
        .meets({ required: isRefusal, 'may be left out': isSuccess })
    }
  },
})

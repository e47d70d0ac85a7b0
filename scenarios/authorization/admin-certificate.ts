import { results, scenario } from '../../conformance/scenario.ts'

export default scenario({
  id: 'authorization.admin-certificate',
  title: 'The verifier lets an administrator read an agent by the client certificate alone',
  requirements: [
    'AUT-ADMIN-READS',
    'VER-STATUS-RECORD',
    'VER-STATUS-PENDING',
    'VER-STATUS-HAS-POLICY',
  ],
  role: 'verifier',
  since: '2.5',
  until: '2.5',
  async run({ verifier, machines, check }) {
    const agent = await machines.pushAgent({ until: 'enrolled', measured: true })
    const seen = await verifier.readAgent(agent.id)
    check('AUT-ADMIN-READS', 'HTTP status').of(seen.status).is(200)
    check('VER-STATUS-RECORD', 'members that are missing')
      .of(MEMBERS.filter((name) => results(seen, name) === undefined))
      .is([])
    // If the agent has an address, the verifier may already have contacted it.
    if (verifier.dialect['agent-address'] === 'none') {
      check('VER-STATUS-PENDING', 'attestation_status')
        .of(results(seen, 'attestation_status'))
        .is('PENDING')
    }
    check('VER-STATUS-HAS-POLICY', 'has_runtime_policy')
      .of(results(seen, 'has_runtime_policy'))
      .is(1)
  },
})

/** Members of API 2.5, without `vtpm_policy`, which is listed for 2.3 and 2.4 only. */
const MEMBERS = [
  'operational_state',
  'v',
  'ip',
  'port',
  'tpm_policy',
  'meta_data',
  'has_mb_refstate',
  'has_runtime_policy',
  'accept_tpm_hash_algs',
  'accept_tpm_encryption_algs',
  'accept_tpm_signing_algs',
  'hash_alg',
  'enc_alg',
  'sign_alg',
  'verifier_id',
  'verifier_ip',
  'verifier_port',
  'severity_level',
  'last_event_id',
  'attestation_count',
  'last_received_quote',
  'last_successful_attestation',
  'attestation_status',
  'attestation_period',
  'maximum_attestation_interval',
]

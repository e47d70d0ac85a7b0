import { isSuccess, REFUSED, scenario } from '../../conformance/scenario.ts'
import { enrolmentOf } from './support/engine.ts'

/** Values of members that have another type, or another form, than the table of the document gives them. */
const DEFECTS: readonly (readonly [member: string, value: unknown])[] = [
  ['ak_tpm', 7],
  ['ak_tpm', '%%%'],
  ['ak_tpm', 'AAAA'],
  ['tpm_policy', 7],
  ['tpm_policy', '{'],
  ['tpm_policy', '[]'],
  ['tpm_policy', 'null'],
  ['tpm_policy', '{"mask":7}'],
  ['tpm_policy', '{"mask":"zz"}'],
  ['tpm_policy', '{"mask":"0x400g"}'],
  ['tpm_policy', '{"mask":"g0x400"}'],
  ['tpm_policy', '{"mask":"0x1000000"}'], // names PCR 24, which no TPM has
  ['tpm_policy', '{"10":7}'],
  ['tpm_policy', '{"10":[7]}'],
  ['tpm_policy', '{"10":["00"]}'],
  ['tpm_policy', `{"10":["g${'0'.repeat(63)}"]}`],
  ['tpm_policy', `{"10":["${'0'.repeat(63)}g"]}`],
  ['tpm_policy', `{"24":["${'0'.repeat(64)}"]}`],
  ['tpm_policy', `{"ten":["${'0'.repeat(64)}"]}`],
  ['runtime_policy', 7],
  ['runtime_policy', 'bm8gSlNPTg=='],
  ['runtime_policy_name', 7],
  ['mb_refstate', 7],
  ['mb_refstate', '{'],
  ['mb_refstate', '[]'],
  ['metadata', 7],
  ['accept_tpm_hash_algs', 'sha256'],
  ['accept_tpm_hash_algs', [7]],
  ['accept_tpm_encryption_algs', { rsa: true }],
  ['accept_tpm_signing_algs', 'rsassa'],
  ['supported_version', 2.5],
  ['supported_version', 'newest'],
  ['cloudagent_ip', 7],
  ['cloudagent_ip', ['127.0.0.1']],
  ['cloudagent_port', true],
  ['cloudagent_port', ['9002']],
  ['cloudagent_port', 'ssh'],
  ['mtls_cert', 7],
  ['mtls_cert', ['disabled']],
  ['mtls_cert', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'],
  ['ima_sign_verification_keys', 7],
  ['ima_sign_verification_keys', '{'],
  ['revocation_key', 7],
  ['v', 7],
]

export default scenario({
  id: 'verifier.agent-malformed',
  title: 'The verifier adds no agent of which one member has another type or form',
  requirements: ['VER-ADD-MALFORMED', 'VER-ADD-STATUS'],
  role: 'verifier',
  since: '2.1',
  until: '2.5',
  async run({ verifier, machines, check, cleanUp }) {
    const newAgent = async () => {
      const one = await machines.softAgent({ until: 'activated' })
      cleanUp(() => verifier.removeAgent(one.id))
      return one
    }
    let agent = await newAgent()
    const add = (members: Readonly<Record<string, unknown>>) =>
      verifier.call('add-agent', {
        params: { agent_id: agent.id },
        as: verifier.admin,
        body: members,
        defect: 'one member',
      })
    const right = () => enrolmentOf(agent.machine, {}, verifier.dialect)
    for (const [member, value] of DEFECTS) {
      const what = `with ${JSON.stringify(value)} for ${member}`
      const isAbsent =
        check('VER-ADD-MALFORMED', `adding an agent ${what}`)
          .of(await add({ ...right(), [member]: value })) // the defect
          .matches(...REFUSED) &&
        check('VER-ADD-MALFORMED', `reading an agent that was not added ${what}`)
          .of(await verifier.readAgent(agent.id))
          .matches(...REFUSED)
      if (isAbsent) continue
      await verifier.removeAgent(agent.id)
      // The deletion may take its time.
      agent = await newAgent()
    }
    check('VER-ADD-STATUS', 'adding the agent')
      .of(await add(right()))
      .matches('a success', isSuccess)
  },
})

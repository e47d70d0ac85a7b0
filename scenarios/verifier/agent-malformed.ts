import { isSuccess, REFUSED, scenario } from '../../conformance/scenario.ts'
import { enrolmentOf } from './support/engine.ts'

/** Values of members that have another type, or another form, than the table of the document gives them. */
const DEFECTS: readonly (readonly [member: string, value: unknown, says?: string])[] = [
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
  ['tpm_policy', `{"10x":["${'0'.repeat(64)}"]}`],
  ['tpm_policy', `{"ten":["${'0'.repeat(64)}"]}`],
  ['runtime_policy', 7],
  ['runtime_policy', 'bm8gSlNPTg=='],
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

/** Members of which the document does not say that they are part of the request before 2.3. */
const SINCE_23: ReadonlySet<string> = new Set([
  ...['cloudagent_ip', 'cloudagent_port', 'runtime_policy', 'runtime_policy_name'],
  ...['mb_refstate', 'ima_sign_verification_keys', 'revocation_key'],
])

/** Names of the measured boot policy: a dialect has one of them, or both. */
const BOOT_POLICY = ['mb_refstate', 'mb_policy']

export default scenario({
  id: 'verifier.agent-malformed',
  title: 'The verifier adds no agent of which one member has another type or form',
  requirements: ['VER-ADD-MALFORMED', 'VER-ADD-STATUS'],
  role: 'verifier',
  since: '2.1',
  until: '2.5',
  async run({ verifier, version, machines, random, check, cleanUp }) {
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
    // A verifier that saves a policy by this name must not have it yet.
    const number = 1 + random.below(2 ** 31)
    const named = { as: verifier.admin, params: { name: String(number) } }
    cleanUp(() => verifier.call('delete-policy', named))
    const defects = [...DEFECTS, ['runtime_policy_name', number, 'a number'] as const]
    for (const [member, value, says = JSON.stringify(value)] of defects) {
      if (version < '2.3' && SINCE_23.has(member)) continue
      const members = right()
      const names =
        member === 'mb_refstate' ? BOOT_POLICY.filter((one) => one in members) : [member]
      const what = `with ${says} for ${names.join(' and ')}`
      const reply = await add({
        ...members,
        ...Object.fromEntries(names.map((name) => [name, value])), // the defect
      })
      check('VER-ADD-MALFORMED', `adding an agent ${what}`)
        .of(reply)
        .matches(...REFUSED)
      const isAbsent =
        !isSuccess(reply) &&
        check('VER-ADD-MALFORMED', `reading the agent whose addition ${what} failed`)
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

import { base64, REFUSED, scenario } from '../../../conformance/scenario.ts'
import { makePolicySigner } from '../support/policy-signer.ts'

/** Characters of a large policy, which a verifier may read elsewhere than a small one. */
const LARGE = 100_000

export default scenario({
  id: 'verifier.policy.signature-of-another',
  title:
    'The verifier does not store a runtime policy with the detached signature of another policy',
  requirements: ['VER-POLICY-SIGNATURE-CHECKED'],
  role: 'verifier',
  provesFunction: true,
  since: '2.1',
  until: '2.5',
  variantOf: 'verifier.policy.signed',
  async run({ verifier, machines, random, check, cleanUp }) {
    const policy = machines.policyOfBoot()
    const [signer, rsa] = [makePolicySigner(), makePolicySigner('rsa')]
    const edwards = makePolicySigner('ed25519')
    for (const [says, by, signed, sent = policy] of [
      ['the policy and a blank', signer, `${policy} `],
      ['the policy and a blank by an RSA key', rsa, `${policy} `],
      ['the policy and a blank by an Ed25519 key', edwards, `${policy} `],
      ['the policy without its last character', signer, policy.slice(0, -1)],
      ['the policy without its last newline', signer, policy, `${policy}\n`],
      ['the policy without its first blank', signer, policy, ` ${policy}`],
      ['the policy without its many blanks', signer, policy, `${policy}${' '.repeat(LARGE)}`],
      ...[64, 256, 512, 1024].map(
        (size) => [`the first ${size} bytes of the policy`, signer, policy.slice(0, size)] as const,
      ),
    ] as const) {
      const call = { as: verifier.admin, params: { name: `assay-${random.uuid()}` } }
      const body = {
        tpm_policy: '{}',
        runtime_policy: base64(new TextEncoder().encode(sent)),
        runtime_policy_sig: by.detached(signed), // the defect
        runtime_policy_key: by.key,
      }
      cleanUp(() => verifier.call('delete-policy', call))
      const created = await verifier.call('create-policy', { ...call, body })
      const isRefused = check(
        'VER-POLICY-SIGNATURE-CHECKED',
        `adding the policy with a signature of ${says}`,
      )
        .of(created)
        .matches(...REFUSED)
      if (isRefused)
        check('VER-POLICY-SIGNATURE-CHECKED', `reading the policy with a signature of ${says}`)
          .of(await verifier.call('read-policy', call))
          .matches(...REFUSED)
    }
  },
})

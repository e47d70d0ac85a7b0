import { base64, REFUSED, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'verifier.policy.exclude-looks-around',
  title: 'The verifier rejects a runtime policy whose exclude uses lookaround',
  requirements: ['VER-POLICY-EXCLUDE-SYNTAX'],
  role: 'verifier',
  since: '2.1',
  until: '2.5',
  variantOf: 'verifier.runtime-policy-named',
  async run({ verifier, machines, random, check, cleanUp }) {
    const call = { as: verifier.admin, params: { name: `assay-${random.uuid()}` } }
    const excludes = ['/tmp/.*', '/opt/(?!a)'] // the defect
    const policy = JSON.stringify({ ...JSON.parse(machines.policyOfBoot()), excludes })
    const body = { tpm_policy: '{}', runtime_policy: base64(new TextEncoder().encode(policy)) }
    cleanUp(() => verifier.call('delete-policy', call))
    const created = await verifier.call('create-policy', { ...call, body })
    check('VER-POLICY-EXCLUDE-SYNTAX', 'adding the policy')
      .of(created)
      .matches(...REFUSED)
  },
})

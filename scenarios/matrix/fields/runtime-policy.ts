import { base64, scenario } from '../../../conformance/scenario.ts'
import { fieldsOf } from '../support/fields-part.ts'

export default scenario({
  id: 'matrix.fields.runtime-policy',
  title:
    'The verifier replies to requests for named runtime policies with the members of the document',
  ...fieldsOf([
    'verifier.create-policy',
    'verifier.read-policy',
    'verifier.list-policies',
    'verifier.delete-policy',
  ]),
  role: 'verifier',
  since: '2.1',
  until: '2.5',
  async run({ verifier, machines, random, cleanUp, checkReply }) {
    const call = {
      as: verifier.admin,
      params: { name: `assay-${random.uuid()}` },
    }
    const policy = base64(new TextEncoder().encode(machines.policyOfBoot()))
    const body = { tpm_policy: '{}', runtime_policy: policy }
    cleanUp(() => verifier.call('delete-policy', call))
    checkReply('verifier.create-policy', await verifier.call('create-policy', { ...call, body }))
    checkReply('verifier.read-policy', await verifier.call('read-policy', call))
    checkReply(
      'verifier.list-policies',
      await verifier.call('list-policies', { as: verifier.admin }),
    )
    checkReply('verifier.delete-policy', await verifier.call('delete-policy', call))
  },
})

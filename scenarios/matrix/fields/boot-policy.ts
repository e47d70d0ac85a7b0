import { scenario } from '../../../conformance/scenario.ts'
import { bootPolicyBody, storeBootPolicy } from '../support/engine.ts'
import { fieldsOf } from '../support/fields-part.ts'

export default scenario({
  id: 'matrix.fields.boot-policy',
  title:
    'The verifier replies to requests for measured boot policies with the members of the document',
  ...fieldsOf([
    'verifier.create-boot-policy',
    'verifier.read-boot-policy',
    'verifier.update-boot-policy',
    'verifier.delete-boot-policy',
  ]),
  role: 'verifier',
  since: '2.3',
  until: '2.5',
  async run(context) {
    const { verifier, checkReply } = context
    const { call, created, marker } = await storeBootPolicy(context)
    checkReply('verifier.create-boot-policy', created)
    checkReply('verifier.read-boot-policy', await verifier.call('read-boot-policy', call))
    const body = bootPolicyBody(marker)
    const updated = await verifier.call('update-boot-policy', { ...call, body })
    checkReply('verifier.update-boot-policy', updated)
    checkReply('verifier.delete-boot-policy', await verifier.call('delete-boot-policy', call))
  },
})

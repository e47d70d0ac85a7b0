import { bootPolicyBody, scenario, storeBootPolicy } from '../../../conformance/dsl.ts'

export default scenario({
  id: 'verifier.boot-policy.unknown',
  title: 'What becomes of boot policies that are not there, are there already, or cannot be read',
  requirements: ['VER-BOOT-READ-UNKNOWN', 'VER-BOOT-POST-REQUEST', 'VER-BOOT-SCHEMA'],
  role: 'verifier',
  since: '2.3',
  until: '2.5',
  async run(context) {
    const { verifier, random, observe } = context
    const { call, marker } = await storeBootPolicy(context)
    const body = bootPolicyBody(marker)
    const again = await verifier.call('create-boot-policy', { ...call, body })
    observe('mbpolicies POST', 'status of a name that is taken', again.status)
    const list = { ...call, body: { mb_policy: '[]' } }
    const odd = await verifier.call('update-boot-policy', list)
    observe('mbpolicies PUT', 'status of a policy that is a list', odd.status)
    const unknown = { ...call, params: { name: `assay-${random.uuid()}` } }
    const read = await verifier.call('read-boot-policy', unknown)
    observe('mbpolicies GET', 'status of a name that nobody has', read.status)
    const updated = await verifier.call('update-boot-policy', { ...unknown, body })
    observe('mbpolicies PUT', 'status of a name that nobody has', updated.status)
    const deleted = await verifier.call('delete-boot-policy', unknown)
    observe('mbpolicies DELETE', 'status of a name that nobody has', deleted.status)
  },
})

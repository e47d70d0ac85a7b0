import { isSuccess, REFUSED, scenario } from '../../../conformance/scenario.ts'
import { storeBootPolicy } from '../support/engine.ts'

export default scenario({
  id: 'verifier.boot-policy.deleted',
  title: 'The verifier no longer returns a deleted measured boot policy',
  requirements: ['VER-BOOT-DELETE-ROUTE', 'VER-BOOT-METHODS-24', 'VER-BOOT-DELETED-GONE'],
  role: 'verifier',
  since: '2.3',
  until: '2.5',
  variantOf: 'verifier.boot-policy.stored',
  async run(context) {
    const { verifier, version, check, observe } = context
    const { call } = await storeBootPolicy(context)
    const deleted = await verifier.call('delete-boot-policy', call) // the defect
    check(version === '2.3' ? 'VER-BOOT-DELETE-ROUTE' : 'VER-BOOT-METHODS-24', 'DELETE')
      .of(deleted)
      .matches('a success', isSuccess)
    observe('mbpolicies DELETE', 'HTTP status', deleted.status)
    check('VER-BOOT-DELETED-GONE', 'reading the deleted policy')
      .of(await verifier.call('read-boot-policy', call))
      .matches(...REFUSED)
  },
})

import { isSuccess, REFUSED, scenario } from '../../../conformance/scenario.ts'
import { bootPolicyBody, runtimePolicyBody, storeBootPolicy } from '../support/engine.ts'

export default scenario({
  id: 'verifier.boot-policy.deleted',
  title:
    'The verifier no longer returns a deleted measured boot policy, and keeps others of its name',
  requirements: [
    ...['VER-BOOT-DELETE-ROUTE', 'VER-BOOT-METHODS-24', 'VER-BOOT-DELETED-GONE'],
    'VER-POLICY-DELETE-ONLY-ONE',
  ],
  role: 'verifier',
  since: '2.3',
  until: '2.5',
  variantOf: 'verifier.boot-policy.stored',
  async run(context) {
    const { verifier, version, machines, check, observe, cleanUp } = context
    const { call, marker } = await storeBootPolicy(context)
    const body = runtimePolicyBody(machines.policyOfBoot())
    cleanUp(() => verifier.call('delete-policy', call))
    const sameName = await verifier.call('create-policy', { ...call, body })
    const deleted = await verifier.call('delete-boot-policy', call) // the defect
    check(version === '2.3' ? 'VER-BOOT-DELETE-ROUTE' : 'VER-BOOT-METHODS-24', 'DELETE')
      .of(deleted)
      .matches('a success', isSuccess)
    observe('mbpolicies DELETE', 'HTTP status', deleted.status)
    check('VER-BOOT-DELETED-GONE', 'reading the deleted policy')
      .of(await verifier.call('read-boot-policy', call))
      .matches(...REFUSED)
    if (!isSuccess(sameName)) return
    const kept = await verifier.call('read-policy', call)
    check('VER-POLICY-DELETE-ONLY-ONE', 'HTTP status of reading the runtime policy of its name')
      .of(kept.status)
      .is(200)
    const added = await verifier.call('create-boot-policy', {
      ...call,
      body: bootPolicyBody(marker),
    })
    const removed = await verifier.call('delete-policy', call) // the defect
    if (!isSuccess(added) || !isSuccess(removed)) return
    check('VER-POLICY-DELETE-ONLY-ONE', 'HTTP status of reading the boot policy of that name')
      .of((await verifier.call('read-boot-policy', call)).status)
      .is(200)
  },
})

import { isSuccess, scenario } from '../../../conformance/scenario.ts'
import { bootPolicyBody, POLICED_BOOT, storeBootPolicy } from '../support/engine.ts'

export default scenario({
  id: 'verifier.boot-policy.replaced',
  title: 'The verifier returns the new content of a replaced measured boot policy',
  requirements: ['VER-BOOT-UPDATE-ROUTE', 'VER-BOOT-METHODS-24', 'VER-BOOT-UPDATED'],
  role: 'verifier',
  since: '2.3',
  until: '2.5',
  async run(context) {
    const { verifier, version, check, observe } = context
    const { call, marker } = await storeBootPolicy(context)
    const another = [...marker].toReversed().join('')
    const body = bootPolicyBody(another)
    const updated = await verifier.call('update-boot-policy', { ...call, body })
    check(version === '2.3' ? 'VER-BOOT-UPDATE-ROUTE' : 'VER-BOOT-METHODS-24', 'PUT')
      .of(updated)
      .matches('a success', isSuccess)
    observe('mbpolicies PUT', 'HTTP status', updated.status)
    const { text } = await verifier.call('read-boot-policy', call)
    check('VER-BOOT-UPDATED', 'the policy that is read')
      .of(text)
      .matches(`a policy that names ${another}, and not its earlier content`, (seen) => {
        return seen.includes(another) && !seen.includes(marker)
      })
    const members = { mb_policy: JSON.stringify(POLICED_BOOT.policy) }
    await verifier.call('update-boot-policy', { ...call, body: members })
    const shorter = await verifier.call('update-boot-policy', { ...call, body })
    const kernel = String(POLICED_BOOT.policy.kernels?.[0]?.kernel_authcode_sha256)
    check(
      'VER-BOOT-UPDATED',
      'whether a policy with fewer members keeps a kernel of the one before',
    )
      .of(
        isSuccess(shorter) && (await verifier.call('read-boot-policy', call)).text.includes(kernel),
      )
      .is(false)
  },
})

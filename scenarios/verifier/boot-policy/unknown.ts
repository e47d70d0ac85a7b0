import { REFUSED, scenario } from '../../../conformance/scenario.ts'
import { bootPolicyBody, storeBootPolicy } from '../support/engine.ts'

const [, isRefused] = REFUSED

export default scenario({
  id: 'verifier.boot-policy.unknown',
  title: 'The verifier answers requests for unknown, duplicate or unreadable boot policies',
  requirements: ['VER-BOOT-REFUSED-HARMLESS'],
  role: 'verifier',
  since: '2.3',
  until: '2.5',
  async run(context) {
    const { verifier, random, check, observe } = context
    const { call, marker } = await storeBootPolicy(context)
    const other = [...marker].toReversed().join('')
    const body = bootPolicyBody(other)
    const again = await verifier.call('create-boot-policy', { ...call, body })
    observe('mbpolicies POST', 'status of an existing name', again.status)
    const stored = isRefused(again) ? marker : other
    check('VER-BOOT-REFUSED-HARMLESS', 'the policy after a second POST of its name')
      .of((await verifier.call('read-boot-policy', call)).text)
      .matches(`one that names ${stored}`, (seen) => seen.includes(stored))
    const odd = await verifier.call('update-boot-policy', { ...call, body: { mb_policy: '[]' } })
    observe('mbpolicies PUT', 'status of a policy that is a list', odd.status)
    const { text } = await verifier.call('read-boot-policy', call)
    check('VER-BOOT-REFUSED-HARMLESS', 'the policy after refused requests')
      .of(text)
      .matches(`one that names ${marker}, unless a request was accepted`, (seen) => {
        return seen.includes(marker) || ![again, odd].every(isRefused)
      })
    const unknown = { ...call, params: { name: `assay-${random.uuid()}` } }
    const read = await verifier.call('read-boot-policy', unknown)
    observe('mbpolicies GET', 'status of an unknown name', read.status)
    const updated = await verifier.call('update-boot-policy', { ...unknown, body })
    observe('mbpolicies PUT', 'status of an unknown name', updated.status)
    const left = await verifier.call('read-boot-policy', unknown)
    check('VER-BOOT-REFUSED-HARMLESS', 'whether a policy that was not to be changed is there')
      .of(!isRefused(left) && isRefused(updated))
      .is(false)
    const deleted = await verifier.call('delete-boot-policy', unknown)
    observe('mbpolicies DELETE', 'status of an unknown name', deleted.status)
  },
})

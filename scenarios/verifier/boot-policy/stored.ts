import { isSuccess, REFUSED, results, scenario } from '../../../conformance/scenario.ts'
import { storeBootPolicy } from '../support/engine.ts'

export default scenario({
  id: 'verifier.boot-policy.stored',
  title: 'The verifier stores a measured boot policy under its name and returns it',
  requirements: [
    'VER-BOOT-CREATE-ROUTE',
    'VER-BOOT-METHODS-24',
    'VER-BOOT-READ-STATUS',
    'VER-BOOT-READ-OBJECT',
    'VER-BOOT-READ-BACK',
    'VER-BOOT-BY-NAME',
  ],
  role: 'verifier',
  since: '2.3',
  until: '2.5',
  async run(context) {
    const { verifier, version, random, check, observe } = context
    const { call, marker, created } = await storeBootPolicy(context)
    check(version === '2.3' ? 'VER-BOOT-CREATE-ROUTE' : 'VER-BOOT-METHODS-24', 'POST')
      .of(created)
      .matches('a success', isSuccess)
    observe('mbpolicies POST', 'HTTP status', created.status)
    const seen = await verifier.call('read-boot-policy', call)
    check('VER-BOOT-READ-STATUS', 'HTTP status').of(seen.status).is(200)
    const policy = results(seen)
    check('VER-BOOT-READ-OBJECT', 'results')
      .of(policy)
      .matches('an object', (value) => typeof value === 'object' && value !== null)
    check('VER-BOOT-READ-BACK', 'the policy that is read')
      .of(seen.text)
      .matches(`a policy that names ${marker}`, (text) => text.includes(marker))
    observe('mbpolicies GET', 'members of the policy', Object.keys(Object(policy)))
    const other = { ...call, params: { name: `assay-${random.uuid()}` } }
    check('VER-BOOT-BY-NAME', 'reading another name')
      .of(await verifier.call('read-boot-policy', other))
      .matches(...REFUSED)
  },
})

import { REFUSED, scenario } from '../../../conformance/scenario.ts'
import { runtimePolicyBody, storeRuntimePolicy } from '../support/engine.ts'

/** Above the sizes of a page that are in use, such as 20, 50 and 100. */
const MANY = 101

export default scenario({
  id: 'verifier.policies.listed',
  title: 'The verifier lists the names of stored runtime policies until they are deleted',
  requirements: [
    'VER-POLICY-LIST-STATUS',
    'VER-POLICY-LIST-NAMES',
    'VER-POLICY-DELETE-STATUS',
    'VER-POLICY-LIST-DELETED',
    'VER-POLICY-DELETE-ONLY-ONE',
  ],
  role: 'verifier',
  since: '2.1',
  until: '2.5',
  async run(context) {
    const { verifier, version, machines, check } = context
    const body = runtimePolicyBody(
      JSON.stringify({ ...JSON.parse(machines.policyOfBoot()), digests: {} }),
    )
    const [one, other] = [await storeRuntimePolicy(context), await storeRuntimePolicy(context)]
    const stored = [one, other]
    while (version === '2.5' && stored.length < MANY)
      stored.push(await storeRuntimePolicy(context, body))
    const names = async () => {
      const listed = await verifier.call('list-policies', { as: verifier.admin })
      check('VER-POLICY-LIST-STATUS', 'HTTP status').of(listed.status).is(200)
      return stored.map(({ name }) => listed.text.includes(`"${name}"`))
    }
    const listed = await names()
    check('VER-POLICY-LIST-NAMES', `names that are not listed, of ${listed.length}`)
      .of(listed.filter((isListed) => !isListed).length)
      .is(0)
    const deleted = await verifier.call('delete-policy', one.call)
    check('VER-POLICY-DELETE-STATUS', 'HTTP status').of(deleted.status).is(200)
    const [first, second] = await names()
    check('VER-POLICY-LIST-DELETED', 'whether the deleted name is listed').of(first).is(false)
    check('VER-POLICY-DELETE-ONLY-ONE', 'whether the other is listed').of(second).is(true)
    check('VER-POLICY-DELETE-ONLY-ONE', 'HTTP status of reading the other')
      .of((await verifier.call('read-policy', other.call)).status)
      .is(200)
    check('VER-POLICY-LIST-DELETED', 'reading the deleted one')
      .of(await verifier.call('read-policy', one.call))
      .matches(...REFUSED)
  },
})

import { isSuccess, REFUSED, results, scenario } from '../../../conformance/scenario.ts'
import { policyNaming, readPolicyText, runtimePolicyBody } from '../support/engine.ts'
import { nearNames } from '../support/near-names.ts'

export default scenario({
  id: 'verifier.policies.near-names',
  title: 'The verifier keeps runtime policies apart whose names are almost equal',
  requirements: ['VER-POLICY-CREATE', 'VER-POLICY-CONTENT', 'VER-POLICY-DELETE-ONLY-ONE'],
  role: 'verifier',
  since: '2.1',
  until: '2.5',
  async run(context) {
    const { verifier, random, check, cleanUp } = context
    const [first, ...others] = nearNames(`Assay-${random.uuid()}a`)
    const callOf = (name: string) => ({ as: verifier.admin, params: { name } })
    const create = (name: string, path: string) => {
      const body = runtimePolicyBody(policyNaming(context, path))
      return verifier.call('create-policy', { ...callOf(name), body })
    }
    const read = (name: string) => verifier.call('read-policy', callOf(name))
    const checkContent = async (requirement: string, name: string, path: string) =>
      check(requirement, `policy ${name}`)
        .of(readPolicyText(results(await read(name), 'runtime_policy')))
        .matches(`one that names ${path}`, (text) => text.includes(`"${path}"`))
    const stored = [first, ...others].map((name, at) => ({ name, path: `/opt/near/${at}` }))
    for (const { name, path } of stored) {
      cleanUp(() => verifier.call('delete-policy', callOf(name)))
      check('VER-POLICY-CREATE', `POST of ${name}`)
        .of(await create(name, path))
        .matches('a success', isSuccess)
    }
    for (const { name, path } of stored) await checkContent('VER-POLICY-CONTENT', name, path)
    await verifier.call('delete-policy', callOf(first))
    check('VER-POLICY-DELETE-ONLY-ONE', `policy ${first} after its deletion`)
      .of(await read(first))
      .matches(...REFUSED)
    for (const { name, path } of stored.slice(1))
      await checkContent('VER-POLICY-DELETE-ONLY-ONE', name, path)
    await create(first, '/opt/near/again')
    await checkContent('VER-POLICY-CONTENT', first, '/opt/near/again')
  },
})

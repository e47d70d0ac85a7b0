import { base64, REFUSED, results, scenario } from '../../conformance/scenario.ts'

export default scenario({
  id: 'verifier.runtime-policy-named',
  title: 'The verifier stores, returns and deletes a named runtime policy',
  requirements: ['VER-POLICY-CREATE', 'VER-POLICY-NAME', 'VER-POLICY-CONTENT', 'VER-POLICY-DELETE'],
  role: 'verifier',
  since: '2.1',
  until: '2.5',
  async run({ verifier, machines, random, check, cleanUp }) {
    const name = `assay-${random.uuid()}`
    const params = { name }
    const as = verifier.admin
    const policy = withTwoDigests(machines.policyOfBoot())
    const body = { tpm_policy: '{}', runtime_policy: base64(new TextEncoder().encode(policy)) }
    cleanUp(() => verifier.call('delete-policy', { as, params }))
    const created = await verifier.call('create-policy', { as, params, body })
    check('VER-POLICY-CREATE', 'HTTP status').of(created.status).is(200)
    const seen = await verifier.call('read-policy', { as, params })
    check('VER-POLICY-NAME', 'name').of(results(seen, 'name')).is(name)
    check('VER-POLICY-CONTENT', 'runtime_policy')
      .of(results(seen, 'runtime_policy'))
      .matches('the stored JSON in base64', (text) =>
        sameJson(Buffer.from(String(text), 'base64').toString(), policy),
      )
    await verifier.call('delete-policy', { as, params })
    const gone = await verifier.call('read-policy', { as, params })
    check('VER-POLICY-DELETE', 'reading the deleted policy')
      .of(gone)
      .matches(...REFUSED)
  },
})

/** The policy with a file that has two digests. */
function withTwoDigests(policy: string): string {
  const { digests, ...others } = JSON.parse(policy)
  const two = ['ab', 'cd'].map((byte) => byte.repeat(32))
  return JSON.stringify({ ...others, digests: { ...digests, '/usr/bin/of-two-versions': two } })
}

function sameJson(one: string, other: string): boolean {
  try {
    return JSON.stringify(JSON.parse(one)) === JSON.stringify(JSON.parse(other))
  } catch {
    return false
  }
}

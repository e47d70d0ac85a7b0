import { base64, isSuccess, REFUSED, results, scenario } from '../../conformance/scenario.ts'
import { readPolicyText, runtimePolicyBody, storeRuntimePolicy } from './support/engine.ts'

/** More than a column of 64 KiB holds. */
const MANY = 1000

export default scenario({
  id: 'verifier.runtime-policy-named',
  title: 'The verifier stores, returns and deletes a named runtime policy',
  requirements: ['VER-POLICY-CREATE', 'VER-POLICY-NAME', 'VER-POLICY-CONTENT', 'VER-POLICY-DELETE'],
  role: 'verifier',
  since: '2.1',
  until: '2.5',
  async run(context) {
    const { verifier, machines, random, check, cleanUp } = context
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
    const large = withFiles(policy, MANY)
    const second = await storeRuntimePolicy(context, runtimePolicyBody(large))
    const kept = results(await verifier.call('read-policy', second.call), 'runtime_policy')
    check('VER-POLICY-CONTENT', `a policy of ${MANY} files, unless it is refused`)
      .of(isSuccess(second.created) ? sameJson(readPolicyText(kept), large) : 'refused')
      .isOneOf([true, 'refused'])
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

/** The policy with so many more files. */
function withFiles(policy: string, count: number): string {
  const { digests, ...others } = JSON.parse(policy)
  const files = Array.from({ length: count }, (_, at) => [`/opt/files/${at}`, ['ef'.repeat(32)]])
  return JSON.stringify({ ...others, digests: { ...digests, ...Object.fromEntries(files) } })
}

function sameJson(one: string, other: string): boolean {
  try {
    return JSON.stringify(JSON.parse(one)) === JSON.stringify(JSON.parse(other))
  } catch {
    return false
  }
}

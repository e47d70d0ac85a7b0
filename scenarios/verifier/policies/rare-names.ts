import { isSuccess, results, scenario } from '../../../conformance/scenario.ts'
import { policyNaming, readPolicyText, runtimePolicyBody } from '../support/engine.ts'

const LONG = 'n'.repeat(100)

/** Ends of names that a decoder, a pattern of SQL or a short column changes. */
const RARE: readonly (readonly [says: string, end: string])[] = [
  ['with plus signs', '-c++'],
  ['with what looks like an encoded letter', '-%41'],
  ['with an underscore', '-web_1'],
  ['with a blank', '-a b'],
  ['with a blank at its end', '-a '],
  ['with a letter and its accent apart', '-e\u0301'],
  ['of more than a hundred characters', `-${LONG}`],
  ['that differs from it in its last character', `-${LONG.slice(1)}o`],
]

export default scenario({
  id: 'verifier.policies.rare-names',
  title: 'The verifier stores a policy under a rare name as it is, or refuses it',
  requirements: ['VER-POLICY-NAME', 'VER-POLICY-CONTENT'],
  role: 'verifier',
  since: '2.1',
  until: '2.5',
  perMajor: true,
  variantOf: 'verifier.runtime-policy-named',
  async run(context) {
    const { verifier, version, random, check, observe, cleanUp } = context
    const beginning = `assay-${random.uuid()}`
    const stored = []
    for (const [at, [says, end]] of RARE.entries()) {
      const name = beginning + end
      const call = { as: verifier.admin, params: { name } }
      cleanUp(() => verifier.call('delete-policy', call))
      const path = `/opt/rare/${at}`
      const body = runtimePolicyBody(policyNaming(context, path))
      const created = await verifier.call('create-policy', { ...call, body }) // the defect
      observe('rare names', `HTTP status of adding a policy ${says}`, created.status)
      if (isSuccess(created)) stored.push({ says, name, call, path })
    }
    for (const { says, name, call, path } of stored) {
      const seen = await verifier.call('read-policy', call)
      check('VER-POLICY-NAME', `name of the policy ${says}, without blanks around it`)
        .of(String(results(seen, 'name')).trim())
        .is(name.trim())
      check('VER-POLICY-CONTENT', `runtime_policy of the policy ${says}`)
        .of(readPolicyText(results(seen, 'runtime_policy')))
        .matches(`one that names ${path}`, (text) => text.includes(`"${path}"`))
      if (!name.includes('+')) continue
      const raw = await verifier.get(`/v${version}/allowlists/${name}`, { as: verifier.admin })
      check('VER-POLICY-NAME', `name of the policy ${says}, which the path has as they are`)
        .of(results(raw, 'name'))
        .is(name)
    }
  },
})

import { NO_SERVER_ERROR, REFUSED, results, scenario } from '../../../conformance/scenario.ts'
import {
  policyNaming,
  readPolicyText,
  runtimePolicyBody,
  storeRuntimePolicy,
} from '../support/engine.ts'

const [, isRefused] = REFUSED

export default scenario({
  id: 'verifier.policies.taken',
  title:
    'The verifier rejects a runtime policy under an existing name, or replaces the whole policy',
  requirements: ['VER-POLICY-DUPLICATE', 'VER-POLICY-REFUSED-HARMLESS', 'VER-POLICY-READ-UNKNOWN'],
  role: 'verifier',
  since: '2.1',
  until: '2.5',
  variantOf: 'verifier.runtime-policy-named',
  async run(context) {
    const { verifier, random, check, observe } = context
    const [before, after] = ['/opt/before', '/opt/after'].map((path) => policyNaming(context, path))
    const { name, call } = await storeRuntimePolicy(context, runtimePolicyBody(String(before)))
    const again = { ...call, body: runtimePolicyBody(String(after)) }
    const repeated = await verifier.call('create-policy', again) // the defect
    observe('allowlists POST', 'status of an existing name', repeated.status)
    const seen = await verifier.call('read-policy', call)
    const text = readPolicyText(results(seen, 'runtime_policy'))
    check('VER-POLICY-REFUSED-HARMLESS', 'the policy that is read')
      .of(text)
      .matches('the first one if the second was refused', (read) =>
        read.includes(isRefused(repeated) ? '/opt/before' : '/opt/after'),
      )
    const another = { ...call, params: { name: `${name}-${random.uuid()}` } }
    for (const operation of ['read-policy', 'delete-policy'] as const) {
      const { status } = await verifier.call(operation, another)
      observe('allowlists', `status of ${operation} of an unknown name`, status)
    }
    check('VER-POLICY-DUPLICATE', 'adding the name again')
      .of(repeated)
      .matches(...NO_SERVER_ERROR)
    check('VER-POLICY-READ-UNKNOWN', 'reading an unknown name')
      .of(await verifier.call('read-policy', another))
      .matches(...REFUSED)
  },
})

import { isSuccess, REFUSED, scenario } from '../../../conformance/scenario.ts'
import { runtimePolicyBody, storeRuntimePolicy } from '../support/engine.ts'

/** Values of members that have another type, or another form, than the table of the document gives them. */
const DEFECTS: readonly (readonly [member: string, value: unknown])[] = [
  ['runtime_policy', undefined],
  ['runtime_policy', null],
  ['runtime_policy', 7],
  ['runtime_policy', ['e30=']],
  ['runtime_policy', { digests: {} }],
  ['tpm_policy', 7],
  ['tpm_policy', ['{}']],
  ['tpm_policy', { mask: '0x400' }],
  ['tpm_policy', '{'],
  ['tpm_policy', '[]'],
  ['tpm_policy', '{"mask":"zz"}'],
  ['tpm_policy', '{"10":7}'],
  ['tpm_policy', `{"10":["${'0'.repeat(63)}g"]}`],
]

export default scenario({
  id: 'verifier.policies.malformed',
  title: 'The verifier stores no runtime policy of which one member has another type or form',
  requirements: ['VER-POLICY-MEMBER-TYPES'],
  role: 'verifier',
  since: '2.1',
  until: '2.5',
  variantOf: 'verifier.runtime-policy-named',
  async run(context) {
    const { verifier, machines, check } = context
    const row = 'VER-POLICY-MEMBER-TYPES'
    const right = runtimePolicyBody(machines.policyOfBoot())
    for (const [member, value] of DEFECTS) {
      const what = `${JSON.stringify(value) ?? 'nothing'} for ${member}`
      const body = { ...right, [member]: value } // the defect
      const { call, created } = await storeRuntimePolicy(context, body, what)
      check(row, `adding a policy with ${what}`)
        .of(created)
        .matches(...REFUSED)
      if (!isSuccess(created))
        check(row, `reading the policy whose addition with ${what} failed`)
          .of(await verifier.call('read-policy', call))
          .matches(...REFUSED)
    }
    const { created } = await storeRuntimePolicy(context, right)
    check(row, 'adding the same policy without a defect')
      .of(created)
      .matches('a success', isSuccess)
  },
})

import { base64, isSuccess, REFUSED, scenario } from '../../../conformance/scenario.ts'
import { runtimePolicyBody, storeRuntimePolicy } from '../support/engine.ts'

/** What stands for a policy and is no JSON object in base64; from the text of one that is. */
const DEFECTS = {
  'plain-json': ['JSON that is not in base64', (text: string) => text],
  cut: ['base64 of JSON that ends before its end', (text: string) => encoded(text.slice(0, -1))],
  twice: ['base64 of base64 of JSON', (text: string) => encoded(encoded(text))],
  'not-utf-8': ['base64 of bytes that are no text', () => base64(Uint8Array.of(0x7b, 0xff, 0x7d))],
  list: ['base64 of a JSON list', (text: string) => encoded(`[${text}]`)],
  number: ['base64 of a number', () => encoded('1')],
  signs: ['base64 with a sign that it does not have', (text: string) => `*${encoded(text)}`],
} as const

const encoded = (text: string) => base64(new TextEncoder().encode(text))

export default Object.entries(DEFECTS).map(([id, [what, mutate]]) =>
  scenario({
    id: `verifier.policies.unreadable.${id}`,
    title: `What is no policy is not stored as one: ${what}`,
    requirements: ['VER-POLICY-REQUEST-BASE64', 'VER-POLICY-MALFORMED'],
    role: 'verifier',
    since: '2.1',
    until: '2.5',
    perMajor: true,
    variantOf: 'verifier.runtime-policy-named',
    async run(context) {
      const { verifier, machines, check, observe } = context
      const sound = runtimePolicyBody(machines.policyOfBoot())
      const runtime_policy = mutate(machines.policyOfBoot()) // the defect
      const { call, created } = await storeRuntimePolicy(
        context,
        { ...sound, runtime_policy },
        what,
      )
      check('VER-POLICY-REQUEST-BASE64', 'the answer').of(isSuccess(created)).is(false)
      check('VER-POLICY-REQUEST-BASE64', 'reading it')
        .of(await verifier.call('read-policy', call))
        .matches(...REFUSED)
      check('VER-POLICY-MALFORMED', 'whether it made a fault of the verifier')
        .of((created.status ?? 500) < 500)
        .is(true)
      observe('allowlists POST', `status of ${what}`, created.status)
    },
  }),
)

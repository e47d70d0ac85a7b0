import {
  base64,
  isSuccess,
  NO_SERVER_ERROR,
  REFUSED,
  scenario,
} from '../../../conformance/scenario.ts'
import { runtimePolicyBody, storeRuntimePolicy } from '../support/engine.ts'

/** Invalid policies: anything except a JSON object in base64, made from a valid one. */
const DEFECTS = {
  'plain-json': ['JSON that is not in base64', (text: string) => text],
  cut: ['base64 of truncated JSON', (text: string) => encoded(text.slice(0, -1))],
  twice: ['base64 of base64 of JSON', (text: string) => encoded(encoded(text))],
  'not-utf-8': [
    'base64 of bytes that are not UTF-8',
    () => base64(Uint8Array.of(0x7b, 0xff, 0x7d)),
  ],
  'name-not-utf-8': [
    'base64 of JSON in which a name is not UTF-8',
    (text: string) => {
      const bytes = new TextEncoder().encode(text)
      bytes[text.indexOf('boot_aggregate')] = 0xff
      return base64(bytes)
    },
  ],
  list: ['base64 of a JSON list', (text: string) => encoded(`[${text}]`)],
  number: ['base64 of a number', () => encoded('1')],
  signs: ['base64 with a character outside its alphabet', (text: string) => `*${encoded(text)}`],
} as const

const encoded = (text: string) => base64(new TextEncoder().encode(text))

export default Object.entries(DEFECTS).map(([id, [what, mutate]]) =>
  scenario({
    id: `verifier.policies.unreadable.${id}`,
    title: `The verifier does not store an unreadable policy: ${what}`,
    requirements: ['VER-POLICY-REQUEST-BASE64', 'VER-POLICY-MALFORMED'],
    role: 'verifier',
    since: '2.1',
    until: '2.5',
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
      const isRejected = check('VER-POLICY-REQUEST-BASE64', 'adding it')
        .of(created)
        .matches('no success', (reply) => !isSuccess(reply))
      if (isRejected)
        check('VER-POLICY-REQUEST-BASE64', 'reading it')
          .of(await verifier.call('read-policy', call))
          .matches(...REFUSED)
      check('VER-POLICY-MALFORMED', `adding a policy that is ${what}`)
        .of(created)
        .matches(...NO_SERVER_ERROR)
      observe('allowlists POST', `status of ${what}`, created.status)
    },
  }),
)

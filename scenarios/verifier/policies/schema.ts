import { REFUSED, scenario } from '../../../conformance/scenario.ts'
import { policyNaming, runtimePolicyBody, storeRuntimePolicy } from '../support/engine.ts'

type Policy = Readonly<Record<string, unknown>>

const [, isRefused] = REFUSED

/** Policies whose members are of other types, lengths or algorithms than those in use. */
const ODD: Readonly<Record<string, Policy>> = {
  'digests are a list': { digests: [] },
  'a digest is a text': { digests: { '/a': 'ab'.repeat(32) } },
  'a digest has an odd number of digits': { digests: { '/a': ['ab'.repeat(32).slice(1)] } },
  'a digest is of 16 bytes': { digests: { '/a': ['ab'.repeat(16)] } },
  'a digest is of 65 bytes': { digests: { '/a': ['ab'.repeat(65)] } },
  'a digest has a letter that is no digit': { digests: { '/a': ['xy'.repeat(32)] } },
  'an exclude is no expression': { excludes: ['(unclosed'] },
  'excludes are a text': { excludes: '/tmp/.*' },
  'the algorithm of the list is unknown': {
    ima: { ignored_keyrings: [], log_hash_alg: 'md7', dm_policy: null },
  },
  'keyrings are a list': { keyrings: [] },
  'the digest of a key is no hexadecimal': { keyrings: { '.ima': ['no'] } },
  'the keyring is no JSON': { 'verification-keys': '{' },
  'the keyring holds no key': { 'verification-keys': '{"pubkeys":["AAAA"],"keyids":[1]}' },
  'the version is a text': { meta: { version: 'one', generator: 2 } },
}

export default scenario({
  id: 'verifier.policies.schema',
  title: 'What becomes of runtime policies whose members are not as those in use',
  requirements: ['VER-POLICY-SCHEMA', 'VER-POLICY-REFUSED-HARMLESS'],
  role: 'verifier',
  since: '2.1',
  until: '2.5',
  perMajor: true,
  variantOf: 'verifier.runtime-policy-named',
  async run(context) {
    const { verifier, check, observe } = context
    const sound = JSON.parse(policyNaming(context, '/opt/sound'))
    for (const [what, odd] of Object.entries(ODD)) {
      const body = runtimePolicyBody(JSON.stringify({ ...sound, ...odd })) // the defect
      const { call, created } = await storeRuntimePolicy(context, body)
      observe('POLSCHEMA', `status where ${what}`, created.status)
      check('VER-POLICY-SCHEMA', `whether it made a fault of the verifier that ${what}`)
        .of((created.status ?? 500) < 500)
        .is(true)
      const seen = await verifier.call('read-policy', call)
      check('VER-POLICY-REFUSED-HARMLESS', `whether it is there, unless refused as ${what}`)
        .of(isRefused(seen))
        .is(isRefused(created))
    }
  },
})

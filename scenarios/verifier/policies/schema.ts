import { NO_SERVER_ERROR, REFUSED, scenario } from '../../../conformance/scenario.ts'
import { policyNaming, runtimePolicyBody, storeRuntimePolicy } from '../support/engine.ts'

type Policy = Readonly<Record<string, unknown>>

const [, isRefused] = REFUSED

/** Policies with members of unusual types, lengths or algorithms. */
const ODD: Readonly<Record<string, Policy>> = {
  'digests are a list': { digests: [] },
  'a digest is a string': { digests: { '/a': 'ab'.repeat(32) } },
  'a digest has an odd number of digits': { digests: { '/a': ['ab'.repeat(32).slice(1)] } },
  'a digest is of 16 bytes': { digests: { '/a': ['ab'.repeat(16)] } },
  'a digest is of 65 bytes': { digests: { '/a': ['ab'.repeat(65)] } },
  'a digest has a letter that is not hexadecimal': { digests: { '/a': ['xy'.repeat(32)] } },
  'an exclude is not a regular expression': { excludes: ['(unclosed'] },
  'excludes are a string': { excludes: '/tmp/.*' },
  'the algorithm of the list is unknown': {
    ima: { ignored_keyrings: [], log_hash_alg: 'md7', dm_policy: null },
  },
  'keyrings are a list': { keyrings: [] },
  'the digest of a key is not hexadecimal': { keyrings: { '.ima': ['no'] } },
  'the keyring is not JSON': { 'verification-keys': '{' },
  'the keyring holds no key': { 'verification-keys': '{"pubkeys":["AAAA"],"keyids":[1]}' },
  'the version is a string': { meta: { version: 'one', generator: 2 } },
}

export default scenario({
  id: 'verifier.policies.schema',
  title: 'The verifier answers runtime policies with unusual members without a server error',
  requirements: ['VER-POLICY-SCHEMA', 'VER-POLICY-REFUSED-HARMLESS'],
  role: 'verifier',
  since: '2.1',
  until: '2.5',
  variantOf: 'verifier.runtime-policy-named',
  async run(context) {
    const { verifier, check, observe } = context
    const sound = JSON.parse(policyNaming(context, '/opt/sound'))
    for (const [what, odd] of Object.entries(ODD)) {
      const body = runtimePolicyBody(JSON.stringify({ ...sound, ...odd })) // the defect
      const { call, created } = await storeRuntimePolicy(context, body)
      observe('POLSCHEMA', `status where ${what}`, created.status)
      check('VER-POLICY-SCHEMA', `adding a policy where ${what}`)
        .of(created)
        .matches(...NO_SERVER_ERROR)
      const seen = await verifier.call('read-policy', call)
      check('VER-POLICY-REFUSED-HARMLESS', `whether it is stored, unless refused as ${what}`)
        .of(isRefused(seen))
        .is(isRefused(created))
    }
  },
})

import { results, scenario } from '../../../conformance/scenario.ts'
import { countOf } from '../support/engine.ts'

/** Accepted hash algorithms other than the usual one, and the kinds of keys and schemes that sign over them. */
const BANKS = [
  ['sha1', 'rsa2048', 'rsassa'],
  ['sha384', 'ecc384', 'ecdsa'],
] as const

export default scenario({
  id: 'verifier.polling.other-banks',
  title:
    'The verifier passes pull agents that quote any accepted bank, and records their algorithms',
  requirements: [
    'VER-ADD-HASHES',
    'VER-STATUS-HASH-IN-USE',
    'VER-STATUS-ENC-IN-USE',
    'VER-STATUS-SIGN-IN-USE',
  ],
  role: 'verifier',
  seconds: 4,
  since: '2.3',
  until: '2.5',
  needs: ['pull_mode'],
  variantOf: 'verifier.polling.asked',
  async run({ machines, check }) {
    await Promise.all(
      BANKS.map(async ([hashAlg, algorithm, scheme]) => {
        const members = { accept_tpm_hash_algs: [...new Set(['sha256', hashAlg, 'sha1'])] }
        const machine = await machines.boot({ ak: { algorithm, hash: hashAlg } })
        const agent = await machines.pullAgent({ machine, hashAlg, members, measured: false })
        const record = await agent.recordOnce((one) => countOf(one) >= 1)
        check('VER-ADD-HASHES', `attestation_count with ${hashAlg}`)
          .of(countOf(record))
          .matches('at least 1', (count) => count >= 1)
        check('VER-STATUS-HASH-IN-USE', `hash_alg of an agent that quotes ${hashAlg}`)
          .of(results(record, 'hash_alg'))
          .is(hashAlg)
        check('VER-STATUS-ENC-IN-USE', `enc_alg of an agent with a key of ${algorithm}`)
          .of(results(record, 'enc_alg'))
          .isOneOf([algorithm, algorithm.slice(0, 3)])
        check('VER-STATUS-SIGN-IN-USE', `sign_alg of an agent with a key of ${algorithm}`)
          .of(results(record, 'sign_alg'))
          .is(scheme)
      }),
    )
  },
})

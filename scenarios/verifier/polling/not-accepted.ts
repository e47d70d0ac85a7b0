import { results, scenario } from '../../../conformance/scenario.ts'
import { countOf } from '../support/engine.ts'

/** Algorithms of the agents, and lists that contain only these or everything else. */
const ALGORITHMS = [
  [
    'VER-ADD-HASH-NOT-ACCEPTED',
    'accept_tpm_hash_algs',
    ['sha256', 'sha1'],
    ['sha384', 'sha512', 'sha1'],
  ],
  ['VER-ADD-ENCRYPTION-NOT-ACCEPTED', 'accept_tpm_encryption_algs', ['ecc'], ['rsa']],
  ['VER-ADD-SIGNING-NOT-ACCEPTED', 'accept_tpm_signing_algs', ['ecdsa'], ['rsassa', 'rsapss']],
] as const

const LISTS = {
  HASHES: 'accept_tpm_hash_algs',
  ENCRYPTIONS: 'accept_tpm_encryption_algs',
  SIGNINGS: 'accept_tpm_signing_algs',
} as const

export default scenario({
  id: 'verifier.polling.not-accepted',
  title: 'The verifier does not pass a pull agent with an algorithm that is not accepted',
  requirements: [
    ...ALGORITHMS.map(([id]) => id),
    ...Object.keys(LISTS).map((list) => `VER-STATUS-${list}-VALUE`),
    'VER-STATUS-IN-USE-ACCEPTED',
  ],
  role: 'verifier',
  seconds: 4,
  since: '2.3',
  until: '2.5',
  needs: ['pull_mode'],
  variantOf: 'verifier.polling.asked',
  async run({ machines, check }) {
    const accepting: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
      ALGORITHMS.map(([, member, own]) => [member, own]),
    )
    // the defect
    const lists = ALGORITHMS.map(([, member, , others]) => ({ ...accepting, [member]: others }))
    const [accepted, ...agents] = await Promise.all(
      [accepting, ...lists].map((members) => machines.pullAgent({ members })),
    )
    if (accepted === undefined) return
    const passed = await accepted.recordOnce((one) => countOf(one) >= 1)
    const inUse = ['hash_alg', 'enc_alg', 'sign_alg'].map((member) => results(passed, member))
    check('VER-STATUS-IN-USE-ACCEPTED', 'algorithms of an accepted agent')
      .of(inUse)
      .matches('sha256, ecc or ecc256, ecdsa', ([hash, enc, sign]) => {
        return hash === 'sha256' && (enc === 'ecc' || enc === 'ecc256') && sign === 'ecdsa'
      })
    for (const [list, member] of Object.entries(LISTS))
      check(`VER-STATUS-${list}-VALUE`, `${member} after a quote that verified`)
        .of(results(passed, member))
        .is(accepting[member])
    for (const [at, [requirement, member]] of ALGORITHMS.entries()) {
      await agents[at]?.polled(1)
      const record = await agents[at]?.recordOnce(
        (one) => typeof results(one, 'last_event_id') === 'string',
      )
      check(requirement, `attestation_count without it in ${member}`)
        .of(record && countOf(record))
        .is(0)
    }
  },
})

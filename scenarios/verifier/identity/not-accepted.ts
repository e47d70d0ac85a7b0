import { results, scenario } from '../../../conformance/scenario.ts'
import { identityQuery, identityQuote } from '../support/engine.ts'

const NONCE = 'Vt5g9KqW2yRn7XbC4mJa'

/** Algorithms of the agents, and lists without them. */
const ALGORITHMS = [
  {
    requirement: 'VER-ADD-HASH-NOT-ACCEPTED',
    member: 'accept_tpm_hash_algs',
    own: ['sha256'],
    others: [['sha384', 'sha512'], ['sha1']],
  },
  {
    requirement: 'VER-ADD-SIGNING-NOT-ACCEPTED',
    member: 'accept_tpm_signing_algs',
    own: ['rsassa'],
    others: [['rsapss'], ['ecdsa']],
  },
  {
    requirement: 'VER-ADD-ENCRYPTION-NOT-ACCEPTED',
    member: 'accept_tpm_encryption_algs',
    own: ['rsa2048'],
    others: [['rsa3072', 'rsa4096'], ['ecc']],
  },
] as const

export default scenario({
  id: 'verifier.identity.not-accepted',
  title: 'The verifier does not accept a quote by an algorithm that is not accepted as an identity',
  requirements: ['VER-IDENTITY-GOOD', ...ALGORITHMS.map(({ requirement }) => requirement)],
  role: 'verifier',
  since: '2.5',
  until: '2.5',
  variantOf: 'verifier.identity.valid',
  async run({ verifier, machines, check }) {
    const accepting = Object.fromEntries(ALGORITHMS.map(({ member, own }) => [member, own]))
    const validUnder = async (lists: Readonly<Record<string, readonly string[]>>) => {
      const agent = await machines.softAgent({ until: 'activated' })
      await agent.enrol({ ...accepting, ...lists })
      const quote = await identityQuote(agent.machine, NONCE)
      const query = identityQuery({ agent_uuid: agent.id, nonce: NONCE, quote })
      return results(await verifier.call('verify-identity', { as: verifier.admin, query }), 'valid')
    }
    check('VER-IDENTITY-GOOD', 'valid of a quote by accepted algorithms')
      .of(await validUnder({}))
      .isOneOf([1, true])
    for (const { requirement, member, others } of ALGORITHMS)
      for (const list of others)
        check(requirement, `valid of a quote where ${member} is ${list}`)
          .of(await validUnder({ [member]: list })) // the defect
          .isOneOf([0, false, undefined])
  },
})

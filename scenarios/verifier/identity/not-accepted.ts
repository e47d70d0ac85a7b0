import { results, scenario } from '../../../conformance/scenario.ts'
import { identityQuery, identityQuote } from '../support/engine.ts'
import { ALGORITHMS, shortAttesters } from '../support/unaccepted.ts'

const NONCE = 'Vt5g9KqW2yRn7XbC4mJa'

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
    const validUnder = async (
      lists: Readonly<Record<string, readonly string[]>>,
      options: Parameters<typeof machines.softAgent>[0] = { until: 'activated' },
    ) => {
      const agent = await machines.softAgent(options)
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
    for (const [says, attester] of shortAttesters())
      check('VER-ADD-ENCRYPTION-NOT-ACCEPTED', `valid of a quote by a key of rsa2048 ${says}`)
        .of(await validUnder({}, { until: 'booted', attester })) // the defect
        .isOneOf([0, false, undefined])
  },
})

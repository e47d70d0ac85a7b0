import { attributes, isRefusal, scenario } from '../../../../conformance/scenario.ts'
import { outcomeOf } from '../../support/outcome-of.ts'

export default scenario({
  id: 'push.evidence.key.not-accepted',
  title:
    'The verifier passes no quote of a push agent by a key of an algorithm that is not accepted',
  requirements: ['VER-ADD-ENCRYPTION-NOT-ACCEPTED'],
  role: 'verifier',
  since: '3.0',
  variantOf: 'push.evidence.soft-keys-accepted',
  async run({ machines, check }) {
    const agent = await machines.softAgent({ until: 'activated' })
    /** The evaluation of an attestation; `refused` if the agent, its session or a request of it is. */
    const evaluation = async () => {
      const added = await agent.enrol({ accept_tpm_encryption_algs: ['ecc'] }) // the defect: its key is an RSA key
      if (isRefusal(added)) return 'refused'
      const proven = await agent.proveSession(await agent.openSession())
      if (attributes(proven, 'evaluation') !== 'pass') return 'refused'
      await agent.logIn()
      return outcomeOf(agent, await agent.offerInTurn())
    }
    check(
      'VER-ADD-ENCRYPTION-NOT-ACCEPTED',
      'evaluation of a quote by an RSA key, where ecc is accepted, unless it is refused',
    )
      .of(await evaluation())
      .isOneOf(['refused', 'fail'])
  },
})

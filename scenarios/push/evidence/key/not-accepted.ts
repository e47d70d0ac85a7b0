import {
  attributes,
  isRefusal,
  type PushAgent,
  scenario,
} from '../../../../conformance/scenario.ts'

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
    const added = await agent.enrol({ accept_tpm_encryption_algs: ['ecc'] }) // the defect: its key is an RSA key
    check(
      'VER-ADD-ENCRYPTION-NOT-ACCEPTED',
      'outcome of a quote by an RSA key, where ecc is accepted',
    )
      .of(isRefusal(added) ? 'refused' : await outcomeOf(agent))
      .isOneOf(['refused', 'fail'])
  },
})

/** The evaluation of an attestation, or `refused` if it is not taken, or no session is opened for the agent. */
async function outcomeOf(
  agent: Pick<
    PushAgent,
    | 'proveSession'
    | 'openSession'
    | 'logIn'
    | 'offerInTurn'
    | 'negotiationIn'
    | 'submit'
    | 'verdict'
  >,
): Promise<unknown> {
  const proven = await agent.proveSession(await agent.openSession())
  if (attributes(proven, 'evaluation') !== 'pass') return 'refused'
  await agent.logIn()
  const offered = await agent.offerInTurn()
  if (isRefusal(offered)) return 'refused'
  const negotiation = agent.negotiationIn(offered)
  const sent = await agent.submit(negotiation)
  if (isRefusal(sent)) return 'refused'
  return attributes(await agent.verdict(negotiation), 'evaluation')
}

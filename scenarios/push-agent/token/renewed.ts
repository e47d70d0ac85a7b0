import { scenario } from '../../../conformance/scenario.ts'
import { stepsOf, tokensGiven } from '../support/engine.ts'

const LIFETIME_MS = 2500
const LONG_MS = 600_000

/** From an offer to its evidence; a machine that is slower lets a token expire in between. */
const QUICK_MS = LIFETIME_MS / 5

export default scenario({
  id: 'push-agent.token.renewed',
  title: 'A push agent renews an expired token and continues to attest',
  requirements: ['PSH-TOKEN-RENEWS', 'PSH-TOKEN-HEADER'],
  role: 'push_agent',
  seconds: 6,
  since: '3.0',
  async run({ pushAgents, check, observe }) {
    const settings = { verifier: { tokenLifetimeMs: LIFETIME_MS }, backoff: 80, backoffMax: 240 }
    const agent = await pushAgents.start(settings)
    const evidence = await agent.took('evidence', 5)
    const operations = [...agent.operations]
    const tokens = tokensGiven(operations)
    const lived = (evidence.at(-1)?.request.at ?? 0) - (evidence[0]?.request.at ?? 0)
    check('PSH-TOKEN-RENEWS', 'tokens')
      .of(tokens.length)
      .matches('more than one', (count) => count > 1)
    // On a busy machine a token may expire before its evidence is there.
    check('PSH-TOKEN-RENEWS', 'tokens for so many cycles')
      .measured(tokens.length)
      .matches('no more than one for each', (count) => count <= evidence.length)
    const offers = stepsOf(operations, 'capabilities')
    const isQuick = ({ request }: (typeof evidence)[number]) => {
      const offer = offers.findLast((one) => one.request.at <= request.at)
      return request.at - (offer?.request.at ?? 0) < QUICK_MS
    }
    const refused = evidence.filter((one) => one.bearer !== 'valid' && isQuick(one))
    check('PSH-TOKEN-RENEWS', 'evidence under a token that had expired')
      .measured(refused.length)
      .is(0)
    const bare = [...offers, ...evidence].filter(({ bearer }) => bearer === 'none')
    check('PSH-TOKEN-HEADER', 'requests without a token').of(bare.length).is(0)
    const late = offers.filter(({ bearer }) => bearer === 'another')
    observe('REFRESH', 'offers under a token that had expired', late.length)
    observe('REFRESH', 'milliseconds between first and last evidence', Math.round(lived))
    agent.verifier.set({ tokenLifetimeMs: LONG_MS })
    await agent.took('proof', 1, agent.operations.length)
    await agent.took('evidence', 1, agent.operations.length)
    const ended = agent.operations.length
    agent.verifier.play([{ on: 'capabilities', does: '500' }])
    await agent.took('capabilities', 1, ended)
    agent.verifier.forgetTokens()
    await agent.took('capabilities', 4, ended)
    check('PSH-TOKEN-RENEWS', 'sessions in four offers after a failure and the end of its token')
      .of(stepsOf(agent.operations.slice(ended), 'session').length)
      .matches('one at least', (count) => count > 0)
  },
})

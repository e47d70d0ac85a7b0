import { attributes } from '../../../conformance/attempt/reply.ts'
import type { Scenario } from '../../../conformance/scenario.ts'
import { STALE } from './freshness.ts'

const FRESH = 'its own challenge'
const OVER = 'ATT-QUOTE-OVER-CHALLENGE'
const BROKEN = 'ATT-REASON-BROKEN'
const PASSES = 'ATT-EVALUATION-PASS'

/** Returns two scenarios: a quote over its own challenge passes, and a quote over anything else does not. */
export function freshnessFamily(place: string): readonly Scenario[] {
  const common = { role: 'verifier', since: '3.0' } as const
  return [
    {
      ...common,
      id: `${place}.fresh`,
      title: 'The verifier passes consecutive quotes over the challenges of their attestations',
      requirements: [PASSES],
      matrix: { name: 'freshness', cells: () => [FRESH] },
      async run({ machines, check }) {
        const agent = await machines.softAgent()
        for (const what of ['evaluation', 'evaluation of the next one'])
          check(PASSES, what, FRESH)
            .of(attributes(await agent.attest(), 'evaluation'))
            .is('pass')
      },
    },
    {
      ...common,
      id: `${place}.stale`,
      title: 'The verifier does not pass evidence for another challenge',
      requirements: [OVER, BROKEN],
      variantOf: `${place}.fresh`,
      matrix: { name: 'freshness', cells: () => STALE.map(({ id }) => id) },
      async run(context) {
        const { machines, verifier, check } = context
        const pair = {
          agent: await machines.softAgent(),
          other: await machines.softAgent(),
          verifier,
        }
        for (const row of STALE.filter(({ id }) => context.asks(id))) {
          const { id } = row
          const { negotiation } = await row.answer(pair) // the defect
          const seen = await pair.agent.verdict(negotiation)
          check(OVER, `evaluation of ${id}`, id).of(attributes(seen, 'evaluation')).is('fail')
          check(BROKEN, `failure_reason of ${id}`, id)
            .of(attributes(seen, 'failure_reason'))
            .is('broken_evidence_chain')
        }
      },
    },
  ]
}

import { attributes, scenario } from '../../../../conformance/scenario.ts'
import type { MutateAttest } from '../../support/engine.ts'
import { AFTER, BEFORE, LAST, MISSES, NEXT, type Step } from '../../support/near-quotes.ts'

const PASSES = 'ATT-EVALUATION-PASS'

export default scenario({
  id: 'push.evidence.quote-near-misses',
  title:
    'The verifier rejects a quote that misses type, magic, selection or clock in one place, and passes one after a reset',
  requirements: [PASSES, ...new Set(MISSES.map(([requirement]) => requirement))],
  role: 'verifier',
  since: '3.0',
  variantOf: 'push.evidence.soft-keys-accepted',
  async run({ machines, check }) {
    const agent = await machines.lightAgent()
    const evaluationOf = async (attest: MutateAttest) =>
      attributes(await agent.attest({ attest }), 'evaluation')
    const passes = async ([says, clockInfo]: Step) =>
      check(PASSES, `evaluation of ${says}`)
        .of(await evaluationOf((one) => ({ ...one, clockInfo })))
        .is('pass')
    for (const step of BEFORE) await passes(step)
    // The near misses are measured from this quote.
    if (!(await passes(LAST))) return
    let allFailed = true
    for (const [requirement, says, attest] of MISSES) {
      const failed = check(requirement, `evaluation of a quote ${says}`)
        .of(await evaluationOf(attest))
        .is('fail')
      allFailed &&= failed
    }
    // A near miss that passed has made its clock the last one.
    if (allFailed) await passes(NEXT)
    for (const step of AFTER) if (!(await passes(step))) return
  },
})

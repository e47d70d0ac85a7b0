import { attributes, scenario } from '../../../../conformance/scenario.ts'
import type { MutateAttest } from '../../support/engine.ts'
import { AFTER, BEFORE, type Clock, MISSES, NEXT } from '../../support/near-quotes.ts'

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
    const pass = async (clocks: readonly Clock[]) => {
      for (const clockInfo of clocks)
        check(PASSES, `evaluation of a quote with ${presentClock(clockInfo)}`)
          .of(await evaluationOf((one) => ({ ...one, clockInfo })))
          .is('pass')
    }
    await pass(BEFORE)
    let allFailed = true
    for (const [requirement, says, attest] of MISSES) {
      const failed = check(requirement, `evaluation of a quote ${says}`)
        .of(await evaluationOf((one) => attest({ ...one, clockInfo: NEXT })))
        .is('fail')
      allFailed &&= failed
    }
    // A near miss that passed has made its clock the last one.
    if (allFailed) await pass([NEXT])
    await pass(AFTER)
  },
})

function presentClock({ clock, resetCount, restartCount }: Clock): string {
  return `clock ${clock} ms, resetCount ${resetCount} and restartCount ${restartCount}`
}

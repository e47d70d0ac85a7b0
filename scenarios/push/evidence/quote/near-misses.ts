import { attributes, scenario } from '../../../../conformance/scenario.ts'
import { type MutateAttest, TPM_ST } from '../../support/engine.ts'

type Clock = Parameters<MutateAttest>[0]['clockInfo']
type Miss = readonly [requirement: string, says: string, attest: MutateAttest]

/** The clock of the quote that passes first. */
const FIRST: Clock = { clock: 0x1_0000_0005n, resetCount: 0x10005, restartCount: 0x10005, safe: 1 }

function ofType(says: string, type: number): Miss {
  return ['ATT-QUOTE-IS-QUOTE', `of the type ${says}`, (one) => ({ ...one, type })]
}

function withMagic(says: string, magic: number): Miss {
  return ['ATT-QUOTE-MAGIC', `with ${says} of the magic`, (one) => ({ ...one, magic })]
}

function atClock(says: string, clock: Partial<Clock>): Miss {
  const clockInfo = { ...FIRST, ...clock }
  return ['ATT-CLOCK-FORWARD', `with ${says}`, (one) => ({ ...one, clockInfo })]
}

/** Quotes over the right challenge and PCRs by the enrolled key, each wrong in one field. */
const MISSES: readonly Miss[] = [
  ofType('TPM_ST_ATTEST_NV', TPM_ST.ATTEST_NV),
  ofType('TPM_ST_ATTEST_COMMAND_AUDIT', TPM_ST.ATTEST_COMMAND_AUDIT),
  ofType('TPM_ST_ATTEST_SESSION_AUDIT', TPM_ST.ATTEST_SESSION_AUDIT),
  ofType('TPM_ST_ATTEST_CERTIFY', TPM_ST.ATTEST_CERTIFY),
  ofType('TPM_ST_ATTEST_TIME', TPM_ST.ATTEST_TIME),
  ofType('TPM_ST_ATTEST_CREATION', TPM_ST.ATTEST_CREATION),
  withMagic('the first half', 0xff540000),
  withMagic('the second half', 0x00004347),
  atClock('a clock one millisecond back', { clock: FIRST.clock - 1n }),
  atClock('a clock whose lower half is ahead and whose upper half is back', {
    clock: 0xffff_ffffn,
  }),
]

export default scenario({
  id: 'push.evidence.quote-near-misses',
  title: 'The verifier rejects a quote that misses the type, the magic or the clock in one place',
  requirements: [
    'ATT-EVALUATION-PASS',
    'ATT-QUOTE-IS-QUOTE',
    'ATT-QUOTE-MAGIC',
    'ATT-CLOCK-FORWARD',
  ],
  role: 'verifier',
  since: '3.0',
  variantOf: 'push.evidence.soft-keys-accepted',
  async run({ machines, check }) {
    const agent = await machines.lightAgent()
    const evaluationOf = async (attest: MutateAttest) =>
      attributes(await agent.attest({ attest }), 'evaluation')
    const passes = async (says: string, clockInfo: Clock) =>
      check('ATT-EVALUATION-PASS', `evaluation of a quote with ${says}`)
        .of(await evaluationOf((one) => ({ ...one, clockInfo })))
        .is('pass')
    await passes('the first clock', FIRST)
    for (const [requirement, says, attest] of MISSES)
      check(requirement, `evaluation of a quote ${says}`)
        .of(await evaluationOf((one) => attest({ ...one, clockInfo: FIRST })))
        .is('fail')
    await passes('the clock one millisecond on', { ...FIRST, clock: FIRST.clock + 1n })
  },
})

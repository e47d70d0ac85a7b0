import { attributes, scenario } from '../../../../conformance/scenario.ts'

/** Counts of the TPM that only TPM2_Clear sets back, which removes the key; and the rows about them. */
const COUNTS = {
  reset: ['resetCount', 'ATT-RESET-COUNT-FORWARD'],
  restart: ['restartCount', 'ATT-RESTART-COUNT-FORWARD'],
} as const

/** Added to a count at first; in 16 bits it is the same count. */
const AHEAD = 65_536

export default Object.entries(COUNTS).map(([id, [count, requirement]]) =>
  scenario({
    id: `push.evidence.quote.counts.${id}`,
    title: `The verifier rejects a quote whose ${count} is below that of the last one`,
    requirements: [requirement],
    role: 'verifier',
    since: '3.0',
    variantOf: 'push.evidence.soft-keys-accepted',
    async run({ machines, check }) {
      const agent = await machines.pushAgent({ softKeys: true })
      const evaluationWith = async (ahead: number) => {
        const seen = await agent.attest({
          attest: ({ clockInfo, ...attest }) => ({
            ...attest,
            clockInfo: { ...clockInfo, [count]: clockInfo[count] + ahead },
          }),
        })
        return attributes(seen, 'evaluation')
      }
      for (const which of ['first', 'second'])
        check(requirement, `evaluation of the ${which} quote with a higher count`)
          .of(await evaluationWith(AHEAD))
          .is('pass')
      check(requirement, 'evaluation of a quote with a lower count')
        .of(await evaluationWith(0)) // the defect
        .is('fail')
    },
  }),
)

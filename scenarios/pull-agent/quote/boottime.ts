import { type Reply, results, scenario } from '../../../conformance/scenario.ts'
import { freshNonce } from '../support/engine.ts'

const WAIT_MS = 1100
/** Of the clock of a TPM, which counts its whole life and which an administrator can set forward. */
const HOUR_MS = 3_600_000n
/** A boot time above it is an instant, in seconds since 1970. */
const FIRST_INSTANT = 1_000_000_000

export default scenario({
  id: 'pull-agent.quote.boottime',
  title:
    'The boottime of a pull agent grows by a second in a second, or is the instant of its boot',
  requirements: ['AGT-INTEGRITY-BOOTTIME-SECONDS', 'AGT-IDENTITY-BOOTTIME-SECONDS'],
  role: 'pull_agent',
  since: '2.1',
  until: '2.5',
  async run({ pullAgents, random, check, elapse }) {
    const agent = await pullAgents.shared()
    const ask = async (): Promise<readonly Reply[]> => [
      await agent.integrity({ nonce: freshNonce(random), mask: '0x80', partial: '1' }),
      await agent.identity(freshNonce(random)),
    ]
    const began = performance.now()
    const before = await ask()
    const { tpm } = agent.machine
    await tpm.clockSet((await tpm.readClock()).clock + HOUR_MS)
    await elapse(WAIT_MS, 'a second is')
    const after = await ask()
    const most = Math.ceil((performance.now() - began) / 1000) + 1
    for (const [at, kind] of (['INTEGRITY', 'IDENTITY'] as const).entries()) {
      const [first, second] = [before[at], after[at]].map(boottimeOf)
      const [least, highest] = Number(first) < FIRST_INSTANT ? [1, most] : [-1, 1]
      check(
        `AGT-${kind}-BOOTTIME-SECONDS`,
        `growth of boottime in ${WAIT_MS} ms or more, in which the clock of the TPM is set`,
      )
        .of(Number(second) - Number(first))
        .matches(`from ${least} to ${highest}`, (grown) => grown >= least && grown <= highest)
    }
  },
})

function boottimeOf(reply: Reply | undefined): unknown {
  return reply && results(reply, 'boottime')
}

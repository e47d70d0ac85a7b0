import { type Reply, results, scenario } from '../../../conformance/scenario.ts'
import { growthOfBoottime } from '../support/boottime.ts'
import { freshNonce } from '../support/engine.ts'

const WAIT_MS = 1100
/** Of the clock of a TPM, which counts its whole life and which an administrator can set forward. */
const HOUR_MS = 3_600_000n

export default scenario({
  id: 'pull-agent.quote.boottime',
  title:
    'The boottime of a pull agent grows by a second in a second, or is the instant of its boot',
  requirements: ['AGT-INTEGRITY-BOOTTIME-SECONDS', 'AGT-IDENTITY-BOOTTIME-SECONDS'],
  role: 'pull_agent',
  since: '2.1',
  until: '2.5',
  async run({ pullAgents, random, check, elapse, now }) {
    const agent = await pullAgents.shared()
    const ask = async (): Promise<readonly Reply[]> => [
      await agent.integrity({ nonce: freshNonce(random), mask: '0x80', partial: '1' }),
      await agent.identity(freshNonce(random)),
    ]
    const began = now()
    const before = await ask()
    const { tpm } = agent.machine
    await tpm.clockSet((await tpm.readClock()).clock + HOUR_MS)
    await elapse(WAIT_MS, 'a second is')
    const after = await ask()
    const passed = now() - began
    for (const [at, kind] of (['INTEGRITY', 'IDENTITY'] as const).entries())
      check(
        `AGT-${kind}-BOOTTIME-SECONDS`,
        `boottimes ${WAIT_MS} ms or more apart, between which the clock of the TPM is set`,
      )
        .of([before[at], after[at]].map(boottimeOf))
        .matches(...growthOfBoottime(WAIT_MS, passed))
  },
})

function boottimeOf(reply: Reply | undefined): unknown {
  return reply && results(reply, 'boottime')
}

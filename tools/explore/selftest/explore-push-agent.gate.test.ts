import { expect, test } from 'vitest'
import { PUSH_AGENT_MODEL } from '../../../conformance/model/push-agent-steps.ts'
import { exploreMutant } from './explore-mutant.ts'

/** `ASSAY_STORIES=20` tells more of them, and looks for mutants too: agents wait in real time, and each needs a TPM. */
const { ASSAY_STORIES } = process.env
const LIMITS = { runs: Number(ASSAY_STORIES ?? 2), steps: 10, seconds: 150 }

const tell = (mutant: string) => exploreMutant(mutant, 'push-agent', PUSH_AGENT_MODEL, LIMITS)

test('our push agent does in every story what the model says', { timeout: 300_000 }, async () => {
  const { counterexample, fault, checks } = await tell('shipped')
  expect({ counterexample, fault }).toEqual({ counterexample: undefined, fault: undefined })
  expect(checks).toBeGreaterThan(50)
})

const PLANTED = [
  ['push.evidence-twice', 'PSH-ONE-EVIDENCE-PER-CYCLE'],
  ['push.failures-kept', 'PSH-BACKOFF-OVER'],
  ['push.waits-alike', 'PSH-BACKOFF'],
  ['push.negotiates-at-once', 'PSH-BACKOFF'],
  ['push.never-waits', 'PSH-BACKOFF'],
] as const

test.each(ASSAY_STORIES === undefined ? [] : PLANTED)(
  'a story is found that %s gets wrong at %s, and made short',
  { timeout: 300_000 },
  async (mutant, breaks) => {
    const { counterexample } = await tell(mutant)
    expect(counterexample?.broken.requirement).toBe(breaks)
    expect(counterexample?.again).toBe(true)
    expect(counterexample?.steps.length).toBeLessThanOrEqual(4)
  },
)

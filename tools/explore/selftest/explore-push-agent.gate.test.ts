import { expect, test } from 'vitest'
import { PUSH_AGENT_MODEL } from '../../../conformance/model/push-agent-steps.ts'
import { exploreMutant } from './explore-mutant.ts'

/** `ASSAY_STORIES=20` runs more sequences, and the mutants too: agents wait in real time, and each needs a TPM. */
const { ASSAY_STORIES } = process.env
const LIMITS = { runs: Number(ASSAY_STORIES ?? 2), steps: 10, seconds: 150 }

const run = (mutant: string) => exploreMutant(mutant, 'push-agent', PUSH_AGENT_MODEL, LIMITS)

test('the reference push agent agrees with the model', async () => {
  const { counterexample, fault, checks } = await run('shipped')
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
  'a short sequence is found in which %s fails %s',
  async (mutant, requirement) => {
    const { counterexample } = await run(mutant)
    expect(counterexample?.deviation.requirement).toBe(requirement)
    expect(counterexample?.isReproduced).toBe(true)
    expect(counterexample?.steps.length).toBeLessThanOrEqual(4)
  },
)

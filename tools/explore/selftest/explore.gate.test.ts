import { expect, test } from 'vitest'
import { VERIFIER_MODEL } from '../../../conformance/model/verifier-steps.ts'
import { exploreMutant } from './explore-mutant.ts'

/** `ASSAY_STORIES=1000` runs more sequences, and every mutant. */
const { ASSAY_STORIES } = process.env
const RUNS = Number(ASSAY_STORIES ?? 40)
const LIMITS = { runs: RUNS, steps: 60, seconds: 150 }

const run = (mutant: string, limits = LIMITS) =>
  exploreMutant(mutant, 'moved-clock', VERIFIER_MODEL, limits)

test('the reference verifier agrees with the model', async () => {
  const { counterexample, fault, ran, checks } = await run('shipped', {
    ...LIMITS,
    runs: ASSAY_STORIES === undefined ? 8 : RUNS,
  })
  expect({ counterexample, fault }).toEqual({ counterexample: undefined, fault: undefined })
  expect(ran).toBeGreaterThanOrEqual(8)
  expect(checks).toBeGreaterThan(200)
})

interface Planted {
  readonly mutant: string
  /** The deviation fails one of these requirements. */
  readonly requirements: readonly string[]
  /** Maximum number of steps in the minimized sequence. */
  readonly within: number
  /** Runs with ASSAY_STORIES only, because every sequence restarts the verifier. */
  readonly isSlow?: true
}

const PLANTED: readonly Planted[] = [
  { mutant: 'second-violation-passes', requirements: ['ATT-RUNTIME-POLICY-JUDGES'], within: 6 },
  { mutant: 'challenges-come-round', requirements: ['ATT-CHALLENGE-FRESH'], within: 8 },
  {
    mutant: 'list-goes-on-after-reboot',
    requirements: [
      'ATT-SELECTION-OFFSET-REBOOT',
      'ATT-FLAG-BEFORE-TIMEOUT',
      'ATT-FLAG-RECOVERS-ADMIN',
    ],
    within: 8,
  },
  { mutant: 'reactivation-leaves-silent', requirements: ['ATT-FLAG-RECOVERS-ADMIN'], within: 8 },
  {
    mutant: 'token-survives-re-enrolment',
    requirements: ['SES-TOKEN-ENDS-REENROLLED'],
    within: 7,
  },
  {
    mutant: 'silence-forgotten-at-restart',
    requirements: ['ATT-FLAG-STAYS', 'ATT-FLAG-TIMEOUT'],
    within: 9,
    isSlow: true,
  },
  {
    mutant: 'tokens-end-at-restart',
    requirements: [
      'SES-TOKEN-WORKS',
      'SES-TOKEN-LATER-REQUESTS',
      'ATT-FLAG-403',
      'ATT-SUBMIT-STATUS',
    ],
    within: 8,
    isSlow: true,
  },
  {
    mutant: 'answers-forgotten-at-restart',
    requirements: ['SES-PROOF-REPLAYED'],
    within: 6,
    isSlow: true,
  },
]

test.each(PLANTED.filter(({ isSlow }) => isSlow !== true || ASSAY_STORIES !== undefined))(
  'a short sequence is found in which $mutant deviates from the model',
  async ({ mutant, requirements, within }) => {
    const { counterexample, ran } = await run(mutant)
    expect(requirements).toContain(counterexample?.deviation.requirement)
    expect(counterexample?.isReproduced).toBe(true)
    expect(counterexample?.steps.length).toBeLessThanOrEqual(within)
    expect(ran).toBeLessThanOrEqual(RUNS)
  },
)

import { expect, test } from 'vitest'
import { VERIFIER_MODEL } from '../../../conformance/model/verifier-steps.ts'
import { exploreMutant } from './explore-mutant.ts'

/** `ASSAY_STORIES=1000` tells more of them, and looks for every mutant. */
const { ASSAY_STORIES } = process.env
const RUNS = Number(ASSAY_STORIES ?? 40)
const LIMITS = { runs: RUNS, steps: 60, seconds: 150 }

const tell = (mutant: string, limits = LIMITS) =>
  exploreMutant(mutant, 'moved-clock', VERIFIER_MODEL, limits)

test('the reference does in every story what the model says', { timeout: 300_000 }, async () => {
  const { counterexample, fault, ran, checks } = await tell('shipped', {
    ...LIMITS,
    runs: ASSAY_STORIES === undefined ? 8 : RUNS,
  })
  expect({ counterexample, fault }).toEqual({ counterexample: undefined, fault: undefined })
  expect(ran).toBeGreaterThanOrEqual(8)
  expect(checks).toBeGreaterThan(200)
})

interface Planted {
  readonly mutant: string
  /** Requirements one of which the story breaks that is found. */
  readonly breaks: readonly string[]
  /** Steps that the shortest story has at the most. */
  readonly within: number
  /** Looked for only when more stories are asked for: a restart for each of them takes its time. */
  readonly seldom?: true
}

const PLANTED: readonly Planted[] = [
  { mutant: 'second-violation-passes', breaks: ['ATT-RUNTIME-POLICY-JUDGES'], within: 6 },
  { mutant: 'challenges-come-round', breaks: ['ATT-CHALLENGE-FRESH'], within: 8 },
  {
    mutant: 'list-goes-on-after-reboot',
    breaks: ['ATT-SELECTION-OFFSET-REBOOT', 'ATT-FLAG-BEFORE-TIMEOUT', 'ATT-FLAG-RECOVERS-ADMIN'],
    within: 8,
  },
  { mutant: 'reactivation-leaves-silent', breaks: ['ATT-FLAG-RECOVERS-ADMIN'], within: 8 },
  {
    mutant: 'token-survives-re-enrolment',
    breaks: ['SES-TOKEN-ENDS-REENROLLED'],
    within: 7,
  },
  {
    mutant: 'silence-forgotten-at-restart',
    breaks: ['ATT-FLAG-STAYS', 'ATT-FLAG-TIMEOUT'],
    within: 9,
    seldom: true,
  },
  {
    mutant: 'tokens-end-at-restart',
    breaks: ['SES-TOKEN-WORKS', 'SES-TOKEN-LATER-REQUESTS', 'ATT-FLAG-403', 'ATT-SUBMIT-STATUS'],
    within: 8,
    seldom: true,
  },
  {
    mutant: 'answers-forgotten-at-restart',
    breaks: ['SES-PROOF-REPLAYED'],
    within: 6,
    seldom: true,
  },
]

test.each(PLANTED.filter(({ seldom }) => seldom !== true || ASSAY_STORIES !== undefined))(
  'a story is found that $mutant gets wrong, and made short',
  { timeout: 300_000 },
  async ({ mutant, breaks, within }) => {
    const { counterexample, ran } = await tell(mutant)
    expect(breaks).toContain(counterexample?.broken.requirement)
    expect(counterexample?.again).toBe(true)
    expect(counterexample?.steps.length).toBeLessThanOrEqual(within)
    expect(ran).toBeLessThanOrEqual(RUNS)
  },
)

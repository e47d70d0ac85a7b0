import { KNOWN_FILE, type Sequence, UNKNOWN_FILE, type VerifierStep } from './sequence.ts'
import { latestAttestation, latestToken } from './verifier-model.ts'

/** Wait beyond an expiry that exceeds every clock difference, in milliseconds. */
const WELL_PAST_MS = 10_000
/** Quote intervals that surely lock an agent out: one more than five, because the start of the count is not specified. */
const SILENCE = 6

const MACHINE_STEPS: readonly VerifierStep[] = [
  {
    name: 'run a file of the policy',
    requirements: [],
    possible: () => true,
    run: ({ agent }) => agent.machine.play([['measure', KNOWN_FILE]]),
  },
  {
    name: 'run a file outside the policy',
    requirements: [],
    possible: ({ model }) => !model.tampered,
    async run(sequence) {
      await sequence.agent.machine.play([['measure', UNKNOWN_FILE]])
      sequence.model = { ...sequence.model, tampered: true }
    },
  },
  {
    name: 'reboot the machine',
    requirements: [],
    possible: () => true,
    async run(sequence) {
      await sequence.agent.machine.play([['reboot']])
      const { boot } = sequence.model
      sequence.model = { ...sequence.model, boot: boot + 1, tampered: false }
    },
  },
]

const RESTART: VerifierStep = {
  name: 'restart the verifier',
  requirements: [],
  possible: ({ context, model }) =>
    context.controls.restart !== undefined && model.tokens.length > 0,
  async run(sequence) {
    await sequence.context.controls.restart?.()
    const { session } = sequence.model
    sequence.model = { ...sequence.model, session: session && { ...session, restarted: true } }
  },
}

function canWait({ context }: Sequence): boolean {
  return context.controls.advance !== undefined
}

/** Waits for an expiry; `end` returns its time, or undefined if nothing can expire. */
function untilOver(name: string, end: (sequence: Sequence) => number | undefined): VerifierStep {
  const left = (sequence: Sequence) => (end(sequence) ?? 0) - sequence.now()
  return {
    name,
    requirements: [],
    possible: (sequence) => canWait(sequence) && left(sequence) > 0,
    run: (sequence) => sequence.elapse(left(sequence) + WELL_PAST_MS),
  }
}

const TIME_STEPS: readonly VerifierStep[] = [
  {
    name: 'an interval passes',
    requirements: [],
    possible: canWait,
    run: (sequence) => sequence.elapse(sequence.context.quoteIntervalMs),
  },
  {
    name: 'six intervals pass',
    requirements: [],
    possible: canWait,
    run: (sequence) => sequence.elapse(SILENCE * sequence.context.quoteIntervalMs),
  },
  untilOver('the challenge of the attestation expires', ({ model }) => {
    const latest = latestAttestation(model)
    return latest?.stage === 'awaiting_evidence' ? latest.endsAt : undefined
  }),
  untilOver('the challenge of the session expires', ({ model }) =>
    model.session?.gaveToken === false ? model.session.endsAt : undefined,
  ),
  untilOver('the token expires', ({ model }) => latestToken(model)?.endsAt),
]

/** Steps of the machine, the verifier process and the clock. */
export const WORLD_STEPS: readonly VerifierStep[] = [...MACHINE_STEPS, RESTART, ...TIME_STEPS]

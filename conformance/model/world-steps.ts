import { KNOWN_FILE, type Sequence, UNKNOWN_FILE, type VerifierStep } from './sequence.ts'
import { latestAttestation, latestToken } from './verifier-model.ts'

/** Milliseconds beyond the end of something, so that nobody's clock says otherwise. */
const WELL_PAST_MS = 10_000
/** Quote intervals that are surely longer than an agent may be silent: deployments differ in the moment that starts the time. */
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

/** Lets time pass until something is over; `end` gives when, or undefined where there is nothing. */
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

/** What happens to the machine, to the verifier, and with time. */
export const WORLD_STEPS: readonly VerifierStep[] = [...MACHINE_STEPS, RESTART, ...TIME_STEPS]

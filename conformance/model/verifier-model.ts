import type { Credentials } from '../client/identity.ts'

/** A condition that may be `unclear` because of clock differences or ambiguities of the document. */
export type Sure = 'yes' | 'no' | 'unclear'

type Stage = 'awaiting_evidence' | 'evaluating_evidence' | 'verification_complete'
type StageEvent = 'capabilities' | 'evidence' | 'verdict'

interface StageMove {
  readonly from: Stage | undefined
  readonly event: StageEvent
  readonly to: Stage
}

/** "Attestation stage" of the interface document. Events that are not listed change nothing. */
const STAGE_MOVES: readonly StageMove[] = [
  { from: undefined, event: 'capabilities', to: 'awaiting_evidence' },
  { from: 'awaiting_evidence', event: 'evidence', to: 'evaluating_evidence' },
  { from: 'evaluating_evidence', event: 'verdict', to: 'verification_complete' },
]

/** The stage after an event; unchanged if the document has no such transition. */
export function stageAfter(from: Stage | undefined, event: StageEvent): Stage | undefined {
  return STAGE_MOVES.find((move) => move.from === from && move.event === event)?.to ?? from
}

type AcceptanceEvent = 'added' | 'capabilities' | 'evidence' | 'reactivated'

/** The acceptance state of an agent. Times are milliseconds of the harness's clock. */
interface Acceptance {
  readonly silent: boolean
  /** Whether the verifier has refused the agent for its silence. */
  readonly refused: boolean
  readonly evidenceAt: number | undefined
  readonly capabilitiesAt: number | undefined
}

const ACCEPTED: Acceptance = {
  silent: false,
  refused: false,
  evidenceAt: undefined,
  capabilitiesAt: undefined,
}

/**
 * "Push-mode acceptance flag" of the interface document: the transition for each event. Only an addition or a
 * reactivation ends a lockout.
 */
const ACCEPTANCE_AFTER: Readonly<
  Record<AcceptanceEvent, (before: Acceptance, now: number) => Acceptance>
> = {
  added: () => ACCEPTED,
  reactivated: () => ACCEPTED,
  capabilities: (before, now) => ({ ...before, capabilitiesAt: now }),
  evidence: (before, now) => ({ ...before, evidenceAt: now }),
}

/** A token that the verifier issued. */
export interface TokenModel {
  readonly credentials: Credentials
  /** The addition of the agent to which the token belongs. */
  readonly enrolment: number
  /** Expiry; a passing attestation may extend it. */
  readonly endsAt: number
  readonly extended: boolean
}

/** The latest session, open or completed. */
interface SessionModel {
  readonly enrolment: number
  readonly endsAt: number
  /** Whether the verifier restarted since, which may discard the session. */
  readonly restarted: boolean
  readonly gaveToken: boolean
}

interface AttestationModel {
  readonly index: string
  readonly stage: Stage
  readonly evaluation: 'pending' | 'pass' | 'fail'
  readonly endsAt: number
  /** The boot of the machine in which the attestation started. */
  readonly boot: number
}

/** The state that determines the verifier's answers to one push agent. */
export interface VerifierModel {
  /** Number of additions so far. */
  readonly enrolment: number
  readonly enrolled: boolean
  readonly acceptance: Acceptance
  /** The newest last. */
  readonly tokens: readonly TokenModel[]
  readonly session: SessionModel | undefined
  /** Attestations since the last addition, newest last. */
  readonly attestations: readonly AttestationModel[]
  readonly boot: number
  /** Whether a file outside the policy ran in this boot. */
  readonly tampered: boolean
}

export const AT_FIRST: VerifierModel = {
  enrolment: 0,
  enrolled: false,
  acceptance: ACCEPTED,
  tokens: [],
  session: undefined,
  attestations: [],
  boot: 0,
  tampered: false,
}

/** Possible difference of the harness's and the subject's clocks over a sequence, in milliseconds. */
const MARGIN_MS = 5000
/** Quote intervals without evidence that lock an agent out. */
const SILENT_INTERVALS = 5

/** Whether a moment has passed. */
export function isPast(moment: number, now: number): Sure {
  if (now < moment - MARGIN_MS) return 'no'
  return now > moment + MARGIN_MS ? 'yes' : 'unclear'
}

/** Whether an agent must be refused for its silence (interface document, L210, L213, L393). */
export function isSilent({ acceptance }: VerifierModel, now: number, intervalMs: number): Sure {
  const { silent, evidenceAt, capabilitiesAt } = acceptance
  if (silent) return 'yes'
  const from = (moment: number) => isPast(moment + SILENT_INTERVALS * intervalMs, now)
  // The document leaves open what else starts the interval, so an agent without evidence is unclear.
  if (evidenceAt === undefined)
    return capabilitiesAt === undefined || from(capabilitiesAt) === 'no' ? 'no' : 'unclear'
  if (from(evidenceAt) === 'no') return 'no'
  return from(Math.max(evidenceAt, capabilitiesAt ?? 0)) === 'yes' ? 'yes' : 'unclear'
}

/** The newest token. */
export function latestToken({ tokens }: VerifierModel): TokenModel | undefined {
  return tokens.at(-1)
}

/** Whether a token is valid for the agent (interface document, L166, L257, L320, L396). */
export function isGood(model: VerifierModel, token: TokenModel, now: number): Sure {
  if (!model.enrolled || token.enrolment !== model.enrolment) return 'no'
  const over = isPast(token.endsAt, now)
  if (over === 'no') return token === latestToken(model) ? 'yes' : 'unclear'
  return over === 'yes' && !token.extended ? 'no' : 'unclear'
}

/** The model after an event that affects the acceptance flag. */
export function afterEvent(
  model: VerifierModel,
  event: AcceptanceEvent,
  now: number,
): VerifierModel {
  return { ...model, acceptance: ACCEPTANCE_AFTER[event](model.acceptance, now) }
}

/** The newest attestation since the last addition. */
export function latestAttestation({ attestations }: VerifierModel): AttestationModel | undefined {
  return attestations.at(-1)
}

/** The model with changes to one attestation. */
export function withAttestation(
  model: VerifierModel,
  changed: Partial<AttestationModel> & Pick<AttestationModel, 'index'>,
): VerifierModel {
  const attestations = model.attestations.map((one) =>
    one.index === changed.index ? { ...one, ...changed } : one,
  )
  return { ...model, attestations }
}

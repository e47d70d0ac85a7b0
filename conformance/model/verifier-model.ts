import type { Credentials } from '../client/identity.ts'

/** What the judge knows of something that depends on time or on a reading of the document. */
export type Sure = 'yes' | 'no' | 'unclear'

export type Stage = 'awaiting_evidence' | 'evaluating_evidence' | 'verification_complete'
export type StageEvent = 'capabilities' | 'evidence' | 'verdict'

interface StageMove {
  readonly from: Stage | undefined
  readonly event: StageEvent
  readonly to: Stage
}

/** "Attestation stage" of the interface document, as the judge reads it. What is not listed changes nothing. */
const STAGE_MOVES: readonly StageMove[] = [
  { from: undefined, event: 'capabilities', to: 'awaiting_evidence' },
  { from: 'awaiting_evidence', event: 'evidence', to: 'evaluating_evidence' },
  { from: 'evaluating_evidence', event: 'verdict', to: 'verification_complete' },
]

/** The stage after an event; the stage before it where the document has no such move. */
export function stageAfter(from: Stage | undefined, event: StageEvent): Stage | undefined {
  return STAGE_MOVES.find((move) => move.from === from && move.event === event)?.to ?? from
}

export type AcceptanceEvent = 'added' | 'capabilities' | 'evidence' | 'reactivated'

/** When an agent was heard of, in milliseconds of the judge's clock, and whether it is known to be locked out. */
export interface Acceptance {
  readonly silent: boolean
  /** Whether it was seen to be refused for its silence. */
  readonly refused: boolean
  readonly evidenceAt: number | undefined
  readonly capabilitiesAt: number | undefined
}

const UNHEARD: Acceptance = {
  silent: false,
  refused: false,
  evidenceAt: undefined,
  capabilitiesAt: undefined,
}

/**
 * "Push-mode acceptance flag" of the interface document: what each event makes of it. Only an addition and a
 * reactivation end a silence.
 */
const ACCEPTANCE_AFTER: Readonly<
  Record<AcceptanceEvent, (before: Acceptance, now: number) => Acceptance>
> = {
  added: () => UNHEARD,
  reactivated: () => UNHEARD,
  capabilities: (before, now) => ({ ...before, capabilitiesAt: now }),
  evidence: (before, now) => ({ ...before, evidenceAt: now }),
}

/** A token that the verifier gave out. */
export interface TokenModel {
  readonly credentials: Credentials
  /** The addition of the agent for which it was given. */
  readonly enrolment: number
  /** Until then it is good; a passing attestation may extend that. */
  readonly endsAt: number
  readonly extended: boolean
}

/** A session whose challenge waits for its answer, or had it. */
export interface SessionModel {
  readonly enrolment: number
  readonly endsAt: number
  /** Whether the verifier was started again since: it may have forgotten it. */
  readonly restarted: boolean
  readonly gaveToken: boolean
}

export interface AttestationModel {
  readonly index: string
  readonly stage: Stage
  readonly evaluation: 'pending' | 'pass' | 'fail'
  readonly endsAt: number
  /** The boot of the machine in which it was begun. */
  readonly boot: number
}

/** Everything that decides what a verifier must answer to one push agent. */
export interface VerifierModel {
  /** Additions so far. */
  readonly enrolment: number
  readonly enrolled: boolean
  readonly acceptance: Acceptance
  /** The newest last. */
  readonly tokens: readonly TokenModel[]
  readonly session: SessionModel | undefined
  /** Of this addition, the newest last. */
  readonly attestations: readonly AttestationModel[]
  readonly boot: number
  /** Whether a file outside the policy ran in this boot. */
  readonly tampered: boolean
}

export const AT_FIRST: VerifierModel = {
  enrolment: 0,
  enrolled: false,
  acceptance: UNHEARD,
  tokens: [],
  session: undefined,
  attestations: [],
  boot: 0,
  tampered: false,
}

/** Milliseconds by which the judge's clock and the subject's may differ over a story. */
const MARGIN_MS = 5000
/** Quote intervals without evidence after which an agent is silent; a deployment may count one more. */
const SILENT_INTERVALS = 5

/** Whether a moment is past. */
export function isPast(moment: number, now: number): Sure {
  if (now < moment - MARGIN_MS) return 'no'
  return now > moment + MARGIN_MS ? 'yes' : 'unclear'
}

/** Whether an agent must be refused for its silence (interface document, L210, L213, L393). */
export function isSilent({ acceptance }: VerifierModel, now: number, intervalMs: number): Sure {
  const { silent, evidenceAt, capabilitiesAt } = acceptance
  if (silent) return 'yes'
  const from = (moment: number) => isPast(moment + SILENT_INTERVALS * intervalMs, now)
  // What else than evidence starts the time is left open, and so an agent without any is nobody's to judge.
  if (evidenceAt === undefined)
    return capabilitiesAt === undefined || from(capabilitiesAt) === 'no' ? 'no' : 'unclear'
  if (from(evidenceAt) === 'no') return 'no'
  return from(Math.max(evidenceAt, capabilitiesAt ?? 0)) === 'yes' ? 'yes' : 'unclear'
}

/** The token that was given last. */
export function latestToken({ tokens }: VerifierModel): TokenModel | undefined {
  return tokens.at(-1)
}

/** Whether a token speaks for the agent (interface document, L166, L257, L320, L396). */
export function isGood(model: VerifierModel, token: TokenModel, now: number): Sure {
  if (!model.enrolled || token.enrolment !== model.enrolment) return 'no'
  const over = isPast(token.endsAt, now)
  if (over === 'no') return token === latestToken(model) ? 'yes' : 'unclear'
  return over === 'yes' && !token.extended ? 'no' : 'unclear'
}

/** The model after something that moves the acceptance flag. */
export function heard(model: VerifierModel, event: AcceptanceEvent, now: number): VerifierModel {
  return { ...model, acceptance: ACCEPTANCE_AFTER[event](model.acceptance, now) }
}

/** The newest attestation of this addition. */
export function latestAttestation({ attestations }: VerifierModel): AttestationModel | undefined {
  return attestations.at(-1)
}

/** The model after one attestation has become another. */
export function withAttestation(
  model: VerifierModel,
  changed: Partial<AttestationModel> & Pick<AttestationModel, 'index'>,
): VerifierModel {
  const attestations = model.attestations.map((one) =>
    one.index === changed.index ? { ...one, ...changed } : one,
  )
  return { ...model, attestations }
}

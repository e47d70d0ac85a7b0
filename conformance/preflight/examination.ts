import type { FaultCode } from '../input/fault-codes.ts'
import type { Deployment } from '../target/deployment/deployment.ts'
import type { HookName, ServiceRole, Target } from '../target/target.ts'
import type { Ask } from './ask.ts'

/** A virtual TPM's keys, as far as a registration needs them. */
export interface TrialMachine {
  /** `public` is TPM2B_PUBLIC, `certificate` DER. */
  readonly ek: { readonly public: Uint8Array; readonly certificate: Uint8Array }
  /** TPM2B_PUBLIC. */
  readonly ak: { readonly public: Uint8Array }
  readonly close: () => Promise<void>
}

/** What a dialect probe found; `suggests` names the dialect that the deployment seems to speak. */
export interface DialectAnswer {
  readonly verdict: 'spoken' | 'refused' | 'unclear'
  readonly detail: string
  readonly next?: string
  readonly suggests?: string
}

/** Looks whether a deployment takes one form of the dialect of its target file. */
export interface DialectProbe {
  /** In a few words, as a finding names it. */
  readonly what: string
  readonly look: (
    ask: Ask,
    urls: Readonly<Partial<Record<ServiceRole, string>>>,
  ) => Promise<DialectAnswer>
}

/** What every check may look at. */
export interface Examination {
  readonly target: Target
  readonly deployment: Deployment
  readonly ask: Ask
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly dialectProbes: readonly DialectProbe[]
  /** Hooks that a claimed capability needs. */
  readonly neededHooks: ReadonlyMap<string, readonly HookName[]>
  /** Makes a fresh machine for the trial of its EK certificate; absent: no trial. */
  readonly startMachine?: () => Promise<TrialMachine>
}

/** What a look saw, when it saw no fault. */
export interface Seen {
  readonly detail: string
  readonly warning?: { readonly code: FaultCode; readonly next: string }
}

/** One look; a fault is thrown as a `SetupFault` with a code. */
export interface Look {
  readonly what: string
  readonly look: () => Seen | Promise<Seen>
}

/** When a stage has found a fault, later ones are not begun: their answers would be riddles. */
export const STAGES = ['files', 'connection', 'identity', 'service', 'trial'] as const

export interface DoctorCheck {
  readonly name: string
  readonly stage: (typeof STAGES)[number]
  /** What it may find; a finding that is ok carries the first. */
  readonly codes: readonly [FaultCode, ...FaultCode[]]
  /** What there is to look at in this target; empty when the check does not concern it. */
  readonly looks: (at: Examination) => readonly Look[]
}

/** The URL of a role; undefined when the target does not have it. */
export function urlOf(
  { target }: Pick<Examination, 'target'>,
  role: ServiceRole,
): string | undefined {
  return target.roles.find((entry) => entry.role === role)?.url
}

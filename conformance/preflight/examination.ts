import type { FaultCode } from '../input/fault-codes.ts'
import type { Deployment } from '../target/deployment/deployment.ts'
import type { HookName, ServiceRole, Target } from '../target/target.ts'
import type { Ask } from './ask.ts'

/** The keys of a virtual TPM that a registration needs. */
export interface TrialMachine {
  /** `public` is TPM2B_PUBLIC, `certificate` DER. */
  readonly ek: { readonly public: Uint8Array; readonly certificate: Uint8Array }
  /** TPM2B_PUBLIC. */
  readonly ak: { readonly public: Uint8Array }
  readonly close: () => Promise<void>
}

/** The result of a dialect probe; `suggests` names the dialect that the deployment seems to accept. */
export interface DialectAnswer {
  readonly verdict: 'accepted' | 'rejected' | 'unclear'
  readonly detail: string
  readonly next?: string
  readonly suggests?: string
}

/** Finds out whether a deployment accepts a dialect. */
export interface DialectProbe {
  /** A short name for the finding. */
  readonly what: string
  readonly run: (
    ask: Ask,
    urls: Readonly<Partial<Record<ServiceRole, string>>>,
  ) => Promise<DialectAnswer>
}

/** Capability -> whether the deployment has it; absent if that did not show. */
export type CapabilityAnswers = ReadonlyMap<string, boolean>

/** What the checks work with. */
export interface Examination {
  readonly target: Target
  readonly deployment: Deployment
  readonly ask: Ask
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly dialectProbes: readonly DialectProbe[]
  /** Hooks that each claimed capability needs. */
  readonly neededHooks: ReadonlyMap<string, readonly HookName[]>
  /** Makes a machine for the EK trust check; absent: the check is skipped. */
  readonly startMachine?: () => Promise<TrialMachine>
  /** Probes capabilities with agents that it deletes; absent: the check is skipped. */
  readonly probeCapabilities?: () => Promise<CapabilityAnswers>
}

/** The result of a step without a fault. */
export interface StepResult {
  readonly detail: string
  readonly warning?: { readonly code: FaultCode; readonly next: string }
}

/** One step of a check; throws a `SetupFault` with a code for a fault. */
export interface CheckStep {
  readonly what: string
  readonly run: () => StepResult | Promise<StepResult>
}

/** After a stage with a fault the later stages are skipped, since their results would be misleading. */
export const STAGES = ['files', 'connection', 'identity', 'service', 'trial'] as const

export interface DoctorCheck {
  readonly name: string
  readonly stage: (typeof STAGES)[number]
  /** The codes it may report; an ok finding carries the first. */
  readonly codes: readonly [FaultCode, ...FaultCode[]]
  /** The steps for this target; empty if the check does not apply. */
  readonly steps: (at: Examination) => readonly CheckStep[]
}

/** The URL of a role; undefined if the target has no such role. */
export function urlOf(
  { target }: Pick<Examination, 'target'>,
  role: ServiceRole,
): string | undefined {
  return target.roles.find((entry) => entry.role === role)?.url
}

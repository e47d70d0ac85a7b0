import type { Credential } from '../../simulator/x509/factory.ts'
import type { CatalogueRow } from '../catalogue/requirement.ts'
import type { MachineFactory } from '../client/agents/machine-options.ts'
import type { Credentials } from '../client/identity.ts'
import type { KeptConnections } from '../client/tls/kept-connections.ts'
import type { SecureContexts } from '../client/tls/secure-contexts.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { PullAgentPool } from '../peers/pull-agent-pool.ts'
import type { PushAgentPool } from '../peers/push-agent-pool.ts'
import type { TenantPool } from '../peers/tenants.ts'
import type { RecordedCalls } from '../recording/events.ts'
import type { Redactor } from '../report/redaction/redact.ts'
import type { CheckResult } from '../report/result.ts'
import type { RecordedTpms, Transcripts } from '../report/transcripts/transcripts.ts'
import type { Controls } from '../target/deployment/controls.ts'
import type { Health } from '../target/deployment/health.ts'
import type { AllowedDeviations } from '../target/deviations.ts'
import type { Lifetimes, ServiceRole, Target, VariantName } from '../target/target.ts'
import type { UnservedOperations } from './causes/unserved-operations.ts'
import type { Trial } from './plan.ts'

/** What differs for the scenarios of a variant. */
interface EnvironmentVariant {
  /** The servers with other settings, by role. */
  readonly urls: Readonly<Partial<Record<ServiceRole, string>>>
  /** Those of its verifier, if it has one. */
  readonly lifetimes: Lifetimes
}

/** What the scenarios of a run share. */
export interface RunEnvironment {
  readonly urls: Readonly<
    Record<'registrar' | 'verifier' | 'plainRegistrar' | 'provider', string | undefined>
  >
  /** Operations on the verifier that the interface has no request for. */
  readonly controls: Controls
  /** Configured lifetimes, as far as the target file gives them. */
  readonly lifetimes: Lifetimes
  /** The servers with other settings, and the provider's registrar. */
  readonly variants: Readonly<Partial<Record<VariantName, EnvironmentVariant>>>
  readonly versions: readonly string[]
  readonly capabilities: readonly string[]
  readonly dialect: Dialect
  readonly contexts: SecureContexts
  /** The connections that scenarios share; absent: each makes its own. */
  readonly kept?: KeptConnections
  readonly tlsFiles: Target['tls']
  readonly admin: Credentials
  /** The CA that issues client certificates, with its key, if the target file names it. */
  readonly issuer?: Credential
  readonly factory: MachineFactory
  /** Starts the pull agents; undefined if the target file names none. */
  readonly pullAgents?: PullAgentPool
  /** Starts the push agents; undefined if the target file names none. */
  readonly pushAgents?: PushAgentPool
  /** Starts the tenants and their web applications; undefined if the target file names neither. */
  readonly tenants?: TenantPool
  readonly seed: string
  readonly scenarioMs: number
  readonly requestMs: number
  readonly verdictWithinMs: number
  readonly quoteIntervalMs: number
  readonly now: () => number
  readonly wait: (ms: number) => Promise<void>
  readonly pace: () => Promise<void>
  /** Whether the subject is alive. */
  readonly health: Health
  /** Resolves when the subject answers again, or after its recovery time. */
  readonly recovered: () => Promise<void>
  readonly redactor: Redactor
  /** Which operations no scenario was served. */
  readonly unserved: UnservedOperations
  /** The transcripts that the run keeps. */
  readonly transcripts: Transcripts
  /** Takes what each scenario received; absent: nothing is recorded. */
  readonly onRecorded?: (recorded: RecordedScenario) => void
  /** The states of TPMs that the scenarios of a replay begin with. */
  readonly recordedTpms?: RecordedTpms
  /** Aborts when the user ends the run. */
  readonly interrupted: AbortSignal
  /** The catalogue: strengths of requirements, and fields of replies. */
  readonly rows: readonly CatalogueRow[]
  readonly deviations: AllowedDeviations
  /** The command that repeats one scenario. */
  readonly repeat: (id: string) => string
}

/** What a scenario received in an attempt, and how that ended. */
export interface RecordedScenario {
  readonly trial: Trial
  readonly calls: RecordedCalls
  readonly checks: readonly CheckResult[]
  /** What ended the scenario early; undefined if nothing did. */
  readonly thrown: unknown
}

/** Ends the agents and tenants that the environment started, and closes its connections. */
export async function closeEnvironment(
  environment: Pick<RunEnvironment, 'pullAgents' | 'pushAgents' | 'tenants' | 'kept'>,
): Promise<void> {
  const { pullAgents, pushAgents, tenants, kept } = environment
  await pullAgents?.close()
  await pushAgents?.close()
  await tenants?.close()
  kept?.close()
}

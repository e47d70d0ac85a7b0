import type { Credential } from '../../simulator/x509/factory.ts'
import type { CatalogueRow } from '../catalogue/requirement.ts'
import type { MachineFactory } from '../client/agents/machine-options.ts'
import type { Credentials } from '../client/identity.ts'
import type { SecureContexts } from '../client/secure-contexts.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { PullAgentPool } from '../peers/pull-agent-pool.ts'
import type { PushAgentPool } from '../peers/push-agent-pool.ts'
import type { TenantPool } from '../peers/tenants.ts'
import type { Redactor } from '../report/redaction/redact.ts'
import type { Transcripts } from '../report/transcripts/transcripts.ts'
import type { Controls } from '../target/deployment/controls.ts'
import type { AllowedDeviations } from '../target/deviations.ts'

/** What every scenario of a run works with. */
export interface RunEnvironment {
  readonly urls: Readonly<Record<'registrar' | 'verifier' | 'plainRegistrar', string | undefined>>
  /** What can be done to the verifier beside speaking to it. */
  readonly controls: Controls
  readonly versions: readonly string[]
  readonly capabilities: readonly string[]
  readonly dialect: Dialect
  readonly contexts: SecureContexts
  readonly admin: Credentials
  /** The CA that client certificates come from, with its key, when the target file gives it. */
  readonly issuer?: Credential
  readonly factory: MachineFactory
  /** Starts the pull agents; undefined when the target file names none. */
  readonly pullAgents?: PullAgentPool
  /** Starts the push agents; undefined when the target file names none. */
  readonly pushAgents?: PushAgentPool
  /** Starts the tenants; undefined when the target file names none. */
  readonly tenants?: TenantPool
  readonly seed: string
  readonly scenarioMs: number
  readonly requestMs: number
  readonly verdictWithinMs: number
  readonly quoteIntervalMs: number
  readonly now: () => number
  readonly wait: (ms: number) => Promise<void>
  readonly pace: () => Promise<void>
  /** Resolves once the subject answers again, or never will in its time. */
  readonly recovered: () => Promise<void>
  readonly redactor: Redactor
  /** The transcripts that are kept. */
  readonly transcripts: Transcripts
  /** Aborts when the person ends the run. */
  readonly interrupted: AbortSignal
  /** The catalogue: strengths, and what each reply must hold. */
  readonly rows: readonly CatalogueRow[]
  readonly deviations: AllowedDeviations
  /** The command that repeats one scenario. */
  readonly repeat: (id: string) => string
}

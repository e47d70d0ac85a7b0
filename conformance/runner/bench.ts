import type { Credential } from '../certificates/factory.ts'
import type { Dialect } from '../client/dialect.ts'
import type { Speaker } from '../client/identity.ts'
import type { Workshop } from '../client/machines.ts'
import type { SecureContexts } from '../client/secure-contexts.ts'
import type { Redactor } from '../report/redact.ts'
import type { Transcripts } from '../report/transcripts/transcripts.ts'
import type { CatalogueRow } from '../spec/requirement.ts'
import type { PullAgentDesk } from '../subjects/pull-agent-desk.ts'
import type { PushAgentDesk } from '../subjects/push-agent-desk.ts'
import type { TenantDesk } from '../subjects/tenants.ts'
import type { Controls } from '../target/controls.ts'
import type { Excuses } from './excuses.ts'

/** What every scenario of a run works with. */
export interface Bench {
  readonly urls: Readonly<Record<'registrar' | 'verifier' | 'plainRegistrar', string | undefined>>
  /** What can be done to the verifier beside speaking to it. */
  readonly controls: Controls
  readonly versions: readonly string[]
  readonly capabilities: readonly string[]
  readonly dialect: Dialect
  readonly contexts: SecureContexts
  readonly admin: Speaker
  /** The CA that client certificates come from, with its key, when the target file gives it. */
  readonly issuer?: Credential
  readonly workshop: Workshop
  /** Starts the pull agents; undefined when the target file names none. */
  readonly pullAgents?: PullAgentDesk
  /** Starts the push agents; undefined when the target file names none. */
  readonly pushAgents?: PushAgentDesk
  /** Starts the tenants; undefined when the target file names none. */
  readonly tenants?: TenantDesk
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
  readonly excuses: Excuses
  /** The command that repeats one scenario. */
  readonly repeat: (id: string) => string
}

import type { TenantConfig } from '../config/config.ts'
import type { Check } from '../evidence/check.ts'
import type { EkCheck } from '../evidence/ek-certificate/ek-checks.ts'
import type { BoundKeyCase } from '../evidence/quote/bound-key.ts'
import type { QuoteCase } from '../evidence/quote/quote-case.ts'
import type { PathCheck } from '../pki/check-path.ts'
import type { AdministratorFiles } from '../pki/tls-files.ts'
import type { Clock } from '../platform/clock.ts'
import type { Random } from '../platform/random.ts'
import type { randomText } from '../platform/random-text.ts'
import type { EndorsementCheck } from './add/endorsement.ts'
import type { IdentityCheck } from './add/identity.ts'
import type { BootstrapRules } from './add/payload/bootstrap-keys.ts'
import type { Server, ServerRules } from './peers/server.ts'

/** The rules that the steps of a command follow. */
export interface TenantRules extends ServerRules {
  readonly clock: Clock
  readonly random: Random
  /** Generates a nonce or a challenge for an agent. */
  readonly randomText: typeof randomText
  /** Checks of an agent's identity, and of the quote and the key in it. */
  readonly identityChecks: readonly IdentityCheck[]
  readonly quoteChecks: readonly Check<QuoteCase>[]
  readonly boundKeyChecks: readonly Check<BoundKeyCase>[]
  readonly endorsementChecks: readonly EndorsementCheck[]
  readonly pathChecks: readonly PathCheck[]
  readonly ekChecks: readonly EkCheck[]
  readonly bootstrap: BootstrapRules
}

/** The servers that a command talks to, the administrator's credentials, and the rules. */
export interface TenantSession {
  readonly config: TenantConfig
  readonly parts: TenantRules
  readonly files: AdministratorFiles
  readonly verifier: Server
  readonly registrar: Server
  /** Milliseconds to wait before each further attempt. */
  readonly waits: readonly number[]
  /** Reports progress to the user. */
  say(sentence: string): void
  close(): void
}

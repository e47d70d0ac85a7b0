import type { ApiVersion } from '../../api/versions.ts'
import type { Attester } from '../attester/attester.ts'
import type { BootstrapKeys, Delivery } from '../keys/bootstrap-keys.ts'
import type { BootLog } from '../logs/boot-log.ts'
import type { ImaLog } from '../logs/ima-log.ts'
import type { NodeKey } from '../node-key.ts'
import type { SignedRevocation } from '../revocation/verify-revocation.ts'
import type { AgentRules } from './agent-rules.ts'

/** The dependencies of a pull agent's operations. */
export interface PullAgentParts {
  readonly uuid: string
  readonly attester: Attester
  /** The TPM of the host, where the agent's own is virtual and the settings name one. */
  readonly host?: Attester | undefined
  readonly nodeKey: NodeKey
  readonly imaLog: ImaLog
  readonly bootLog: BootLog
  readonly rules: AgentRules
  readonly keys: BootstrapKeys
  /** Puts K and its payload where they are wanted, in its own time. */
  deliver(delivery: Delivery): void
  /** Checks a revocation message asynchronously. */
  takeRevocation(revocation: SignedRevocation): void
  /** Logs for the operator of the agent. */
  warn(sentence: string): void
  readonly versions: readonly ApiVersion[]
  /** Whether quotes of API 1.0 are compressed. */
  readonly zlib: boolean
}

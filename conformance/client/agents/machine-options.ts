import type { RecordedBoot } from '../../../simulator/platform/recorded-boot.ts'
import type { Manufacturer } from '../../../simulator/swtpm/manufacturer.ts'
import type { SwtpmPool } from '../../../simulator/swtpm/pool.ts'
import type { TpmState } from '../../../simulator/swtpm/process.ts'
import type { SeededRandom } from '../../attempt/random.ts'
import type { Dialect } from '../../dialects/dialect.ts'
import type { RegistrarClient } from '../registrar-client.ts'
import type { SecureContexts } from '../tls/secure-contexts.ts'
import type { Transcript } from '../transcript.ts'
import type { VerifierClient } from '../verifier-client.ts'

/** The resources that all scenarios of a run share to make machines. */
export interface MachineFactory {
  /** A directory with a short path, for sockets. */
  readonly directory: string
  readonly manufacturer: Manufacturer
  readonly boot: RecordedBoot
  /** The swtpm processes; they end with the run. */
  readonly tpms: SwtpmPool
  readonly onProcess: (pid: number, what: string) => void
  /** Environment variables that mark the processes of this run. */
  readonly environment: Readonly<Record<string, string>>
}

export interface MachinesOptions {
  readonly factory: MachineFactory
  /** Prefix of machine names, unique to this scenario. */
  readonly prefix: string
  readonly transcript: Transcript
  /** The states of the TPMs of another run of this scenario, in the order of its machines. */
  readonly tpmStates?: readonly TpmState[]
  readonly random: SeededRandom
  readonly registrar: RegistrarClient
  readonly verifier: VerifierClient
  readonly capabilities: readonly string[]
  readonly dialect: Dialect
  /** TLS contexts; agents trust the same CA. */
  readonly contexts: Pick<SecureContexts, 'ca'>
  readonly quoteIntervalMs: number
  readonly verdictWithinMs: number
  readonly wait: (ms: number) => Promise<void>
  readonly now: () => number
  readonly onCleanup: (step: () => Promise<void>) => void
}

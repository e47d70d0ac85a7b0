import type { RecordedBoot } from '../../../simulator/platform/recorded-boot.ts'
import type { Manufacturer } from '../../../simulator/swtpm/manufacturer.ts'
import type { SwtpmPool } from '../../../simulator/swtpm/pool.ts'
import type { SeededRandom } from '../../attempt/random.ts'
import type { Dialect } from '../../dialects/dialect.ts'
import type { RegistrarClient } from '../registrar-client.ts'
import type { SecureContexts } from '../secure-contexts.ts'
import type { Transcript } from '../transcript.ts'
import type { VerifierClient } from '../verifier-client.ts'

/** What all scenarios of a run share to make machines with. */
export interface MachineFactory {
  /** A short directory for sockets. */
  readonly directory: string
  readonly manufacturer: Manufacturer
  readonly boot: RecordedBoot
  /** The processes of their TPMs, which end with the run. */
  readonly tpms: SwtpmPool
  readonly onProcess: (pid: number, what: string) => void
  /** The mark of the run, which every process it starts carries. */
  readonly environment: Readonly<Record<string, string>>
}

export interface MachinesOptions {
  readonly factory: MachineFactory
  /** Distinguishes the machines of this scenario from those of others. */
  readonly prefix: string
  readonly transcript: Transcript
  readonly random: SeededRandom
  readonly registrar: RegistrarClient
  readonly verifier: VerifierClient
  readonly capabilities: readonly string[]
  readonly dialect: Dialect
  /** What connections are made with; their CA is the one that agents know the verifier by. */
  readonly contexts: Pick<SecureContexts, 'ca'>
  readonly quoteIntervalMs: number
  readonly verdictWithinMs: number
  readonly wait: (ms: number) => Promise<void>
  readonly now: () => number
  readonly onCleanup: (step: () => Promise<void>) => void
}

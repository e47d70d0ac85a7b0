import { paceOf } from '../../conformance/attempt/pace.ts'
import { type SeededRandom, seededRandom } from '../../conformance/attempt/random.ts'
import { compareVersions } from '../../conformance/catalogue/routes/operations.ts'
import { Machines } from '../../conformance/client/agents/machines.ts'
import { HttpsClient } from '../../conformance/client/https-client.ts'
import type { Credentials } from '../../conformance/client/identity.ts'
import { RegistrarClient } from '../../conformance/client/registrar-client.ts'
import { Transcript } from '../../conformance/client/transcript.ts'
import { VerifierClient } from '../../conformance/client/verifier-client.ts'
import type { TranscriptEntry } from '../../conformance/report/transcripts/transcript-entry.ts'
import type { RunEnvironment } from '../../conformance/runner/run-environment.ts'
import type { ImaEntry } from '../../simulator/ima/list.ts'
import type { RecordedBoot } from '../../simulator/platform/recorded-boot.ts'
import type { CampaignContext } from './campaign-context.ts'

/** A transcript of the last words alone: a fuzzer says too much to keep it. */
class LastWords extends Transcript {
  override add(entry: TranscriptEntry): number {
    this.entries.splice(0)
    return super.add(entry)
  }
}

/** Everything a fuzzer works with at one deployment. */
export interface FuzzSession extends CampaignContext {
  readonly environment: RunEnvironment
  readonly admin: Credentials
  /** The verifier under the newest 2.x and under 3.0 of the target file; absent where it lists none. */
  readonly verifiers: Readonly<Partial<Record<'pull' | 'push', VerifierClient>>>
  registrarOf(version: string): RegistrarClient
  machines(verifier: VerifierClient): Machines
  /** A fresh agent id: a UUID whose first group marks it as the fuzzer's. */
  ownId(): string
  /** Remembers what to undo at the end, however that comes. */
  readonly cleanUp: (step: () => Promise<unknown>) => void
  /** Undoes everything, last things first; returns what could not be undone. */
  close(): Promise<readonly string[]>
}

/** First group of the ids of agents that a fuzzer made. */
const OWN_GROUP = 'a55af022'

function newest(versions: readonly string[], wanted: (version: string) => boolean) {
  return versions.filter(wanted).toSorted(compareVersions).at(-1)
}

function verifiersOf(environment: RunEnvironment, client: HttpsClient): FuzzSession['verifiers'] {
  const { versions, dialect, admin, verdictWithinMs, wait, now } = environment
  const url = environment.urls.verifier
  const make = (version: string | undefined) =>
    version === undefined || url === undefined
      ? undefined
      : new VerifierClient({
          ...{ url, client, version, versions, dialect },
          ...{ admin, verdictWithinMs, wait, now },
        })
  const pull = make(newest(versions, (version) => version.startsWith('2.')))
  const push = make(versions.find((version) => version === '3.0'))
  return { ...(pull && { pull }), ...(push && { push }) }
}

/** The slower of what the person and the target file allow, per second. */
function allowed(rate: number, perSecond: number): number {
  return perSecond === 0 ? rate : Math.min(rate, perSecond)
}

const NEWLINE = 10

/**
 * A boot without names that hold a newline: whether an offset into a text list counts entries or lines is left open, and
 * here both shall be the same.
 */
function plain(boot: RecordedBoot): RecordedBoot {
  const isPlain = ({ fields }: ImaEntry) => fields[1]?.includes(NEWLINE) !== true
  return { ...boot, ima: boot.ima.filter(isPlain) }
}

/** GET /version, which every client needs. */
async function versionProblem(client: Pick<VerifierClient, 'get'>): Promise<string | undefined> {
  const { status, failure } = await client.get('/version')
  // Whether a verifier has this route is left open: any answer but a fault of the server will do.
  if (status !== undefined && status < 500) return undefined
  return `GET /version: ${status === undefined ? failure : `HTTP ${status}`}`
}

/** Opens a session; `perSecond` is the cap of the target file, 0 for none. */
export function openSession(
  environment: RunEnvironment,
  rate: number,
  perSecond: number,
): FuzzSession {
  const steps: (() => Promise<unknown>)[] = []
  const over = new AbortController()
  let ending = environment.interrupted
  const transcript = new LastWords(environment.now)
  const pace = paceOf(allowed(rate, perSecond), environment.now)
  const { contexts, requestMs } = environment
  const client = new HttpsClient({ contexts, transcript, signal: () => ending, requestMs, pace })
  const random = seededRandom(`${environment.seed} ${environment.now()}`, 'ids')
  const cleanUp: FuzzSession['cleanUp'] = (step) => void steps.push(step)
  const registrarOf: FuzzSession['registrarOf'] = (version) =>
    new RegistrarClient({
      ...{ client, version, versions: environment.versions, dialect: environment.dialect },
      ...{ url: environment.urls.registrar, isUnderTest: true },
    })
  const verifiers = verifiersOf(environment, client)
  return {
    ...{ environment, admin: environment.admin, verifiers, registrarOf, cleanUp },
    ...{
      now: environment.now,
      interrupted: environment.interrupted,
      redact: (text: string) => environment.redactor.text(text),
    },
    healthProblem: ({ name }) => {
      const verifier = verifiers.pull ?? verifiers.push
      const asked = name.startsWith('register') ? registrarOf('2.5') : verifier
      return asked === undefined ? Promise.resolve(undefined) : versionProblem(asked)
    },
    ownId: () => ownId(random),
    machines: (verifier) =>
      new Machines({
        ...{ ...environment, prefix: 'z', transcript, verifier, onCleanup: cleanUp },
        factory: { ...environment.factory, boot: plain(environment.factory.boot) },
        random: { ...random, uuid: () => ownId(random) },
        registrar: new RegistrarClient({
          ...{
            client,
            version: '3.0',
            versions: environment.versions,
            dialect: environment.dialect,
          },
          ...{ url: environment.urls.registrar, isUnderTest: false },
        }),
      }),
    async close() {
      ending = over.signal
      const troubles: string[] = []
      for (const step of steps.reverse()) {
        await step().catch((error: unknown) => troubles.push(String(error)))
      }
      client.close()
      return troubles
    },
  }
}

function ownId(random: SeededRandom): string {
  return `${OWN_GROUP}${random.uuid().slice(8)}`
}

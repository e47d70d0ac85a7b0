import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KeyForms } from '../../simulator/agents/key-forms.ts'
import { makeServerCertificate } from '../../simulator/agents/server-certificate.ts'
import { type Machine, startMachine } from '../../simulator/machine/machine.ts'
import {
  type Answer,
  type Exchange,
  type ReceivedRequest,
  type Service,
  startService,
} from '../../simulator/services/service.ts'
import { makeCertificate } from '../../simulator/x509/factory.ts'
import type { Recipe } from '../../simulator/x509/recipes.ts'
import { DeadlinePassed, NotApplicable } from '../attempt/endings.ts'
import type { SeededRandom } from '../attempt/random.ts'
import type { Slot } from '../attempt/slots.ts'
import { type CertificateDefect, certificateWithDefect } from '../client/agents/ek-certificates.ts'
import type { MachineFactory } from '../client/agents/machine-options.ts'
import { base64 } from '../client/bytes.ts'
import type { HttpsClient } from '../client/https-client.ts'
import type { Transcript } from '../client/transcript.ts'
import { startSubject } from '../target/deployment/start-subject.ts'
import type { RunDirectory } from '../target/processes/run-directory.ts'
import type { TenantWord } from '../target/subject-placeholders.ts'
import type { Target } from '../target/target.ts'
import type { HarnessAuthority } from './harness-authority.ts'
import { recordRequest } from './record-request.ts'
import { requireWords, writeDefaultFiles } from './subject-words.ts'
import {
  type AgentKeys,
  agentAnswers,
  makeAgentKeys,
  type Play,
  registrarAnswers,
  verifierAnswers,
} from './tenant-servers.ts'
import { startTenantWeb, type TenantWeb } from './tenant-web.ts'

interface TenantParts {
  readonly target: Target
  readonly run: RunDirectory
  readonly factory: MachineFactory
  readonly authority: HarnessAuthority
}

/** The machine that the tenants of a run share for their agents, because a start takes seconds. */
export class TenantPool {
  readonly parts: TenantParts
  #machine: Promise<Machine> | undefined
  #made = 0

  constructor(parts: TenantParts) {
    this.parts = parts
  }

  machine(): Promise<Machine> {
    this.#machine ??= startMachine({ ...this.parts.factory, name: 'tenants' })
    return this.#machine
  }

  nextName(): string {
    return `t${this.#made++}`
  }

  async close(): Promise<void> {
    await (await this.#machine)?.close()
  }
}

/** What a scenario may change in the environment of a tenant. */
export type StageOptions = Partial<Omit<Play, 'agentId' | 'certificate'>> & {
  /** The registrar's record has an EK certificate with this defect. */
  readonly ekCertificate?: CertificateDefect
  /** The tenant is started with the settings of TLS at their defaults. */
  readonly defaultTls?: true
  /** The directory of another stage, for what a tenant keeps. */
  readonly directory?: string
  /** The UUID of the agent has capital letters. */
  readonly capitals?: true
}

/** The result of a tenant command. */
interface TenantEnding {
  readonly code: number | null
  readonly out: string
}

/** The environment of one tenant. */
export interface TenantStage {
  readonly agentId: string
  readonly directory: string
  /** All requests of the tenant with their peers, in order. */
  readonly requests: readonly { readonly peer: Peer; readonly request: ReceivedRequest }[]
  readonly keys: AgentKeys
  readonly certificate: string
  /** The attestation key in the registrar's record. */
  readonly aikTpm: string
  /** Runs one tenant command and waits for its exit. */
  run(...args: readonly string[]): Promise<TenantEnding>
  /** Starts a web application with the same peers, and waits until it listens. */
  web(): Promise<TenantWeb>
  /** One of the peers shows another server certificate from now on; without a recipe, its own again. */
  show(peer: Peer, recipe?: Recipe): Promise<void>
  /** Requests get the answers of `interception` from now on, where it has one; undefined removes it. */
  intercept(interception: Interception | undefined): void
  /** Writes a file for use in a command and returns its path. */
  file(name: string, content: string | Uint8Array): string
}

export type Peer = 'registrar' | 'verifier' | 'agent'

/** Returns the answer to a request in place of the peer's own, which may come late; undefined: the peer's own. */
type Interception = (
  peer: Peer,
  request: ReceivedRequest,
) => Answer | Promise<Answer | undefined> | undefined

interface TenantsOptions {
  readonly pool: TenantPool | undefined
  readonly random: SeededRandom
  readonly keyForms: KeyForms
  readonly transcript: Transcript
  readonly onCleanup: (step: () => Promise<void>) => void
  readonly clientOf: (certificate: string) => HttpsClient
  readonly slot: Slot
}

/** A mutation that replaces the EK certificate in the registrar's record. */
async function withEkCertificate(
  machine: Machine,
  defect: CertificateDefect,
  { manufacturer }: MachineFactory,
): Promise<Pick<Play, 'mutateRecord'>> {
  const ekcert = base64(await certificateWithDefect(machine, defect, manufacturer))
  return { mutateRecord: (record) => ({ ...record, ekcert }) }
}

const AGENT_VERSIONS = ['2.1', '2.2', '2.3', '2.4', '2.5']

/** The tenants of one scenario. */
export class Tenants {
  readonly #options: TenantsOptions

  constructor(options: TenantsOptions) {
    this.#options = options
  }

  /** Starts the peers of a tenant: a registered, running agent, and a registrar and verifier; the agent is not added. */
  async stage(options: StageOptions = {}): Promise<TenantStage> {
    const { pool, random, transcript, keyForms, onCleanup } = this.#options
    if (pool === undefined) throw new NotApplicable('the target file names no tenant')
    const { run, authority, target } = pool.parts
    if (options.defaultTls) requireWords(target, 'tenant', 'defaultTls')
    const {
      capitals,
      ekCertificate,
      defaultTls,
      directory = join(run.path, 'tenants', pool.nextName()),
      ...mutated
    } = options
    const uuid = random.uuid()
    const agentId = capitals ? uuid.toUpperCase() : uuid
    const served = await makeServerCertificate(agentId, Date.now())
    const machine = await pool.machine()
    const play: Play = {
      ...{ agentId, certificate: served.certificate },
      ...{ machine, agentVersions: AGENT_VERSIONS, ...mutated },
      ...(ekCertificate && (await withEkCertificate(machine, ekCertificate, pool.parts.factory))),
    }
    const keys = makeAgentKeys(agentId, keyForms)
    const requests: { peer: Peer; request: ReceivedRequest }[] = []
    const ca = authority.issuer.certificate
    let intercepted: Interception | undefined
    const open = async (
      peer: Peer,
      own: Parameters<typeof startService>[0]['answer'],
      shown: { readonly certificate: string; readonly key: string } = authority.server,
    ): Promise<Service> => {
      const host = peer === 'agent' ? play.agentHost : undefined
      const onExchange = (exchange: Exchange) => {
        requests.push({ peer, request: exchange.request })
        recordRequest(transcript, exchange, { credentials: 'the tenant', peer })
      }
      const answer = async (request: ReceivedRequest) =>
        (await intercepted?.(peer, request)) ?? own(request)
      const service = await startService({ answer, tls: { ...shown, ca }, onExchange, host })
      onCleanup(() => service.close())
      return service
    }
    const agent = await open('agent', agentAnswers(play, keys), served)
    const registrar = await open(
      'registrar',
      registrarAnswers(play, () => agent),
    )
    const verifier = await open('verifier', verifierAnswers(play, keys))
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    if (defaultTls) writeDefaultFiles(directory, authority)
    const words = wordsOf({ directory, registrar, verifier, authority })
    const services = { agent, registrar, verifier }
    const right = { agent: served, registrar: authority.server, verifier: authority.server }
    return {
      ...{ agentId, directory, requests, keys, certificate: served.certificate },
      aikTpm: base64(play.machine.ak.public),
      run: (...args) => this.#run(pool, { agentId, words, args, defaultTls }),
      async show(peer, recipe) {
        const shown = recipe && (await makeCertificate(recipe, authority.issuer, Date.now()))
        services[peer].show(shown ?? right[peer])
      },
      intercept(interception) {
        intercepted = interception
      },
      web: () => startTenantWeb({ ...this.#options, ...pool.parts, agentId, words }),
      file(name, content) {
        const path = join(directory, name)
        writeFileSync(path, content)
        return path
      },
    }
  }

  async #run(
    { parts }: TenantPool,
    command: {
      readonly agentId: string
      readonly words: Readonly<Record<TenantWord, string>>
      readonly args: readonly string[]
      readonly defaultTls: true | undefined
    },
  ): Promise<TenantEnding> {
    const { transcript } = this.#options
    transcript.note(`the tenant runs with the arguments ${command.args.join(' ')}`)
    const running = await startSubject(parts.target, parts.run, 'tenant', {
      ca: parts.authority.files.ca,
      ...command,
    })
    let late: NodeJS.Timeout | undefined
    const deadline = new Promise<'late'>((resolve) => {
      late = setTimeout(() => resolve('late'), running.withinMs)
    })
    const code = await Promise.race([running.ended, deadline])
    clearTimeout(late)
    await running.stop()
    if (code === 'late') throw new DeadlinePassed('the tenant did not exit within its time limit')
    const out = readFileSync(running.logs.out, 'utf8')
    transcript.note(`the tenant exited with code ${code}`)
    return { code, out }
  }
}

interface Around {
  readonly directory: string
  readonly registrar: Service
  readonly verifier: Service
  readonly authority: HarnessAuthority
}

function wordsOf({
  directory,
  registrar,
  verifier,
  authority,
}: Around): Readonly<Record<TenantWord, string>> {
  const { files } = authority
  return {
    'tenant.dir': directory,
    'registrar.host': '127.0.0.1',
    'registrar.port': String(registrar.port),
    'registrar.tls_port': String(registrar.tlsPort),
    'verifier.host': '127.0.0.1',
    'verifier.port': String(verifier.tlsPort),
    client_ca: files.ca,
    client_cert: files.admin.certificate,
    client_key: files.admin.key,
  }
}

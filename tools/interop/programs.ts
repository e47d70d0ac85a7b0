import { join } from 'node:path'
import { Disagreement } from './disagreement.ts'
import { awaitRegistered } from './registered.ts'
import {
  ASSAY,
  type MachineWithLogs,
  type OurServers,
  type Program,
  type Ran,
  runToEnd,
  settings,
  start,
  type World,
} from './world.ts'

const SHOWN = 600

/** Runs a tenant, which has to say yes. */
async function succeed(world: World, whose: string, words: readonly string[], program: Program) {
  const ran = await runToEnd(world, program)
  if (ran.code === 0) return ran
  const ended = `exit code ${ran.code}: ${ran.output.trim().slice(-SHOWN)}`
  throw new Disagreement(`${whose} tenant ${words.join(' ')}`, 'exit code 0', ended)
}

/** Runs the tenant of the release at its own servers, or where `environment` leads it. */
export function theirTenant(
  world: World,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const { places } = world
  const program = join(places.python.directory, 'bin', 'keylime_tenant')
  return succeed(world, 'their', words, {
    name: 'their-tenant',
    words: [program, ...words],
    environment: { ...places.environment, ...environment },
  })
}

/** How their tenant finds our servers. */
export function towards({ directory, verifier, registrar }: OurServers) {
  return {
    KEYLIME_DIR: directory,
    KEYLIME_TENANT_VERIFIER_PORT: String(verifier),
    KEYLIME_TENANT_REGISTRAR_PORT: String(registrar),
  }
}

/** Runs our tenant at the servers of the release. */
export function ourTenant(world: World, words: readonly string[]): Promise<Ran> {
  const { places, ekCa } = world
  const { pull, registrar } = places.ports
  const where = settings({
    ...{ verifier_ip: '127.0.0.1', verifier_port: pull },
    ...{ registrar_ip: '127.0.0.1', registrar_port: registrar },
    ...{ tls_dir: join(places.directory, 'cv_ca'), tpm_cert_store: ekCa },
  })
  const all = [process.execPath, ASSAY, 'tenant', ...words, ...where]
  return succeed(world, 'our', words, { name: 'our-tenant', words: all })
}

export interface AgentPlace {
  readonly id: string
  readonly on: MachineWithLogs
  /** State of the servers, with their authority. */
  readonly directory: string
  /** Port of the registrar's TLS. */
  readonly registrar: number
}

/** What every agent of ours is told. */
function settingsOf({ id, on, directory, registrar }: AgentPlace) {
  return {
    ...{ uuid: id, state_dir: on.directory, tcti: on.tcti },
    ...{ registrar_ip: '127.0.0.1', registrar_port: registrar },
    ...{ ima_ml_path: on.logs.ima, measuredboot_ml_path: on.logs.boot },
    exponential_backoff_initial_delay: 200,
    ca: join(directory, 'cv_ca', 'cacert.crt'),
  }
}

/** Runs an agent while `body` lasts, once the registrar knows it. */
async function withAgent<T>(
  world: World,
  { id, directory, registrar }: AgentPlace,
  words: readonly string[],
  body: () => Promise<T>,
): Promise<T> {
  const all = [process.execPath, ASSAY, ...words]
  const agent = await start(world, { name: `agent-${id}`, words: all })
  try {
    await awaitRegistered(directory, registrar, id)
    return await body()
  } finally {
    await world.run.end(agent.pid)
  }
}

/** Runs our pull agent on a machine while `body` lasts. */
export function withPullAgent<T>(
  world: World,
  place: AgentPlace,
  body: () => Promise<T>,
): Promise<T> {
  const { ca, ...common } = settingsOf(place)
  const { port } = place.on
  const own = { port, contact_port: port, trusted_client_ca: ca, extract_payload_zip: 'False' }
  return withAgent(world, place, ['agent', ...settings({ ...common, ...own })], body)
}

/** Runs our push agent on a machine while `body` lasts; it comes to the verifier at `verifier`. */
export function withPushAgent<T>(
  world: World,
  place: AgentPlace & { readonly verifier: number },
  body: () => Promise<T>,
): Promise<T> {
  const { ca, ...common } = settingsOf(place)
  const own = {
    verifier_url: `https://127.0.0.1:${place.verifier}`,
    verifier_tls_ca_cert: ca,
    registrar_api_versions: '2.1,2.2,2.3,2.4,2.5',
    registrar_tls_enabled: 'True',
    subject_form: 'by_bank',
  }
  return withAgent(world, place, ['push-agent', ...settings({ ...common, ...own })], body)
}

import { join } from 'node:path'
import { until } from '../../conformance/attempt/poll.ts'
import type { RunningCommand } from '../../conformance/target/processes/spawn-recorded.ts'
import { administratorOf } from './administrator.ts'
import { Disagreement } from './disagreement.ts'
import {
  ASSAY,
  type InteropEnvironment,
  type MachineWithLogs,
  type OurServers,
  type Program,
  type Ran,
  runToEnd,
  settings,
  start,
} from './environment.ts'

const WITHIN_MS = 30_000
const EVERY_MS = 200

/** Waits until a registrar returns an agent's record to the administrator of `directory`. */
async function awaitRegistered(directory: string, port: number, id: string): Promise<void> {
  const ask = administratorOf(directory)
  let status = 0
  const isThere = async () => {
    status = (await ask(port, `/v2.5/agents/${id}`)).status
    return status === 200
  }
  if (await until(isThere, { withinMs: WITHIN_MS, everyMs: EVERY_MS })) return
  throw new Disagreement('the agent at the registrar', 'HTTP 200', `HTTP ${status}`)
}

const SHOWN = 600

/** Runs a tenant; throws a {@link Disagreement} unless its exit code is 0. */
async function succeed(
  environment: InteropEnvironment,
  owner: string,
  words: readonly string[],
  program: Program,
) {
  const ran = await runToEnd(environment, program)
  if (ran.code === 0) return ran
  const ended = `exit code ${ran.code}: ${ran.output.trim().slice(-SHOWN)}`
  throw new Disagreement(`${owner} tenant ${words.join(' ')}`, 'exit code 0', ended)
}

/** Runs Keylime's tenant with its own servers, or with the servers that `variables` name. */
export function keylimeTenant(
  environment: InteropEnvironment,
  words: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const { places } = environment
  const program = join(places.python.directory, 'bin', 'keylime_tenant')
  return succeed(environment, "Keylime's", words, {
    name: 'their-tenant',
    words: [program, ...words],
    environment: { ...places.environment, ...variables },
  })
}

/** Environment variables with which Keylime's tenant uses our servers. */
export function towards({ directory, verifier, registrar }: OurServers) {
  return {
    KEYLIME_DIR: directory,
    KEYLIME_TENANT_VERIFIER_PORT: String(verifier),
    KEYLIME_TENANT_REGISTRAR_PORT: String(registrar),
  }
}

/** Environment variables with which Keylime's tenant uses the verifier for push agents. */
export function towardsPush({ places }: InteropEnvironment) {
  return {
    KEYLIME_DIR: places.pushDirectory,
    KEYLIME_TENANT_VERIFIER_PORT: String(places.ports.push),
  }
}

/** Servers that a tenant manages. */
type ServersOf = Pick<OurServers, 'directory' | 'verifier' | 'registrar'>

/** Keylime's servers, with its polling verifier. */
function keylimeServers({ places: { directory, ports } }: InteropEnvironment): ServersOf {
  return { directory, verifier: ports.pull, registrar: ports.registrar }
}

/** Runs our tenant, by default with Keylime's servers. */
export function ourTenant(
  environment: InteropEnvironment,
  words: readonly string[],
  { directory, verifier, registrar }: ServersOf = keylimeServers(environment),
): Promise<Ran> {
  const where = settings({
    ...{ verifier_ip: '127.0.0.1', verifier_port: verifier },
    ...{ registrar_ip: '127.0.0.1', registrar_port: registrar },
    ...{ tls_dir: join(directory, 'cv_ca'), tpm_cert_store: environment.ekCa },
  })
  const all = [process.execPath, ASSAY, 'tenant', ...words, ...where]
  return succeed(environment, 'our', words, { name: 'our-tenant', words: all })
}

export interface AgentPlace {
  readonly id: string
  readonly on: MachineWithLogs
  /** State directory of the servers, with their CA. */
  readonly directory: string
  /** Port of the registrar's TLS. */
  readonly registrar: number
}

/** Settings of all our agents. */
function settingsOf({ id, on, directory, registrar }: AgentPlace) {
  return {
    ...{ uuid: id, state_dir: on.directory, tcti: on.tcti },
    ...{ registrar_ip: '127.0.0.1', registrar_port: registrar },
    ...{ ima_ml_path: on.logs.ima, measuredboot_ml_path: on.logs.boot },
    exponential_backoff_initial_delay: 200,
    ca: join(directory, 'cv_ca', 'cacert.crt'),
  }
}

/** Runs an agent while `body` lasts; `body` starts after its registration. */
export async function withAgent<T>(
  environment: InteropEnvironment,
  { id, directory, registrar }: AgentPlace,
  program: Omit<Program, 'name'>,
  body: (running: RunningCommand) => Promise<T>,
): Promise<T> {
  const agent = await start(environment, { name: `agent-${id}`, ...program })
  try {
    await awaitRegistered(directory, registrar, id)
    return await body(agent)
  } finally {
    await environment.run.end(agent.pid)
  }
}

/** Runs our pull agent on a machine while `body` lasts. */
export function withPullAgent<T>(
  environment: InteropEnvironment,
  place: AgentPlace,
  body: () => Promise<T>,
): Promise<T> {
  const { ca, ...common } = settingsOf(place)
  const { port } = place.on
  const own = { port, contact_port: port, trusted_client_ca: ca, extract_payload_zip: 'False' }
  const words = [process.execPath, ASSAY, 'agent', ...settings({ ...common, ...own })]
  return withAgent(environment, place, { words }, body)
}

/** Runs our push agent on a machine while `body` lasts; `verifier` is the port of its verifier. */
export function withPushAgent<T>(
  environment: InteropEnvironment,
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
  const words = [process.execPath, ASSAY, 'push-agent', ...settings({ ...common, ...own })]
  return withAgent(environment, place, { words }, body)
}

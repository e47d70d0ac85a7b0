import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type InteropEnvironment, type MachineWithLogs, onMachine } from '../environment.ts'
import type { InteropTest } from '../interop-test.ts'
import { type AgentPlace, keylimeTenant, ourTenant, towardsPush, withAgent } from '../programs.ts'
import { expectCycle, expectGone, expectPayload, PULL, PUSH, PUSH_WITH_REASON } from '../states.ts'

/** Servers for an agent, and the tenant that manages them. */
interface Side {
  /** State directory of the verifier, with the CA of both servers. */
  readonly directory: string
  readonly verifier: number
  readonly registrar: number
  /** Port of the registrar without TLS. */
  readonly registrarHttp: number
  tenant(words: readonly string[]): Promise<unknown>
}

function ourSide(environment: InteropEnvironment): Side {
  const { ours } = environment
  return { ...ours, tenant: (words) => ourTenant(environment, words, ours) }
}

function keylimeSide(environment: InteropEnvironment, isPush: boolean): Side {
  const { ports, directory, pushDirectory } = environment.places
  const variables = isPush ? towardsPush(environment) : {}
  return {
    directory: isPush ? pushDirectory : directory,
    verifier: isPush ? ports.push : ports.pull,
    registrar: ports.registrar,
    registrarHttp: ports.registrarHttp,
    tenant: (words) => keylimeTenant(environment, words, variables),
  }
}

/** Settings of both agents by the names that they have in the environment, without the prefix. */
function variablesOf({ id, on }: AgentPlace, state: string, side: Side) {
  const ca = join(side.directory, 'cv_ca', 'cacert.crt')
  const settings = {
    ...{ uuid: id, keylime_dir: state, run_as: '', api_versions: 'default' },
    ...{ ip: '127.0.0.1', port: on.port, contact_ip: '127.0.0.1', contact_port: on.port },
    ...{ registrar_ip: '127.0.0.1', registrar_port: side.registrarHttp, trusted_client_ca: ca },
    ...{ ima_ml_path: on.logs.ima, measuredboot_ml_path: on.logs.boot },
    ...{ verifier_url: `https://127.0.0.1:${side.verifier}`, verifier_tls_ca_cert: ca },
    ...{ attestation_interval_seconds: 1, exponential_backoff_initial_delay: 200 },
    extract_payload_zip: false,
  }
  const named = Object.entries(settings).map(([name, value]) => [
    `KEYLIME_AGENT_${name.toUpperCase()}`,
    String(value),
  ])
  return { ...Object.fromEntries(named), KEYLIME_DIR: state, TCTI: on.tcti }
}

const SECRET = 'payload of the tenant'

/** The steps of an agent that is registered: the tenant adds it, it attests, fails and recovers, and is deleted. */
async function runSteps(
  { id, on }: AgentPlace,
  side: Side,
  {
    state,
    isPush,
    isOurs,
  }: { readonly state: string; readonly isPush: boolean; readonly isOurs: boolean },
): Promise<string> {
  const agent = { directory: side.directory, port: side.verifier, id }
  const payload = join(on.directory, 'payload')
  writeFileSync(payload, SECRET)
  const model = isPush ? ['--push-model'] : []
  const rest = isPush ? model : ['-f', payload, '--verify']
  const enrol = (command: string, policy: string) =>
    side.tenant(['-c', command, '-u', id, '--runtime-policy', policy, ...rest])
  await enrol('add', on.policy)
  if (!isPush) await expectPayload(join(state, 'secure', 'unzipped'), SECRET)
  const pushMode = isOurs ? PUSH_WITH_REASON : PUSH
  await expectCycle(on, agent, isPush ? pushMode : PULL, (policy) => enrol('update', policy))
  await side.tenant(['-c', 'delete', '-u', id, ...model])
  await expectGone(agent)
  const added = isPush ? 'added' : 'added with a payload'
  return `${added}; attested; failed after an unknown file; updated and attested; deleted`
}

function rustAgent(kind: 'pull' | 'push', owner: 'our' | "Keylime's"): InteropTest {
  const [isPush, isOurs] = [kind === 'push', owner === 'our']
  const program = isPush ? 'keylime_push_model_agent' : 'keylime_agent'
  const run = (environment: InteropEnvironment, on: MachineWithLogs) => {
    const side = isOurs ? ourSide(environment) : keylimeSide(environment, isPush)
    const state = join(on.directory, 'rust')
    mkdirSync(state, { mode: 0o700 })
    const { directory, registrar } = side
    const place = { id: randomUUID(), on, directory, registrar }
    const words = [join(environment.rustAgents ?? '', program)]
    const started = { words, environment: variablesOf(place, state, side) }
    return withAgent(environment, place, started, () =>
      runSteps(place, side, { state, isPush, isOurs }),
    )
  }
  return {
    id: `rust-${kind}-agent-${isOurs ? 'ours' : 'keylime'}`,
    title: `the ${kind} agent in Rust registers with ${owner} registrar; ${owner} tenant adds it, ${owner} verifier attests it`,
    run: (environment) => onMachine(environment, (on) => run(environment, on)),
  }
}

/** The Rust agents with our servers and tenant, and with Keylime's on our machines. */
export const rustAgents: readonly InteropTest[] = [
  rustAgent('pull', 'our'),
  rustAgent('push', 'our'),
  rustAgent('pull', "Keylime's"),
  rustAgent('push', "Keylime's"),
]

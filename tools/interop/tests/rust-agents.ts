import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type InteropEnvironment, type MachineWithLogs, onMachine } from '../environment.ts'
import type { InteropTest } from '../interop-test.ts'
import { type AgentPlace, keylimeTenant, ourTenant, towardsPush, withAgent } from '../programs.ts'
import {
  type AgentAt,
  expectCycle,
  expectFile,
  expectGone,
  expectPushLife,
  PULL,
  PUSH,
  PUSH_WITH_REASON,
  type Tenant,
} from '../states.ts'

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
    tenant: (words) =>
      keylimeTenant(environment, words, { ...variables, KEYLIME_CA_PASSWORD: 'ca' }),
  }
}

/** Files of an agent. */
interface AgentFiles {
  /** Its state directory. */
  readonly state: string
  /** Directory with the program that it runs upon a message of revocation. */
  readonly actions: string
  /** Files that the payload contains. */
  readonly included: string
  /** Written by the program: the message of revocation. */
  readonly revocation: string
}

const ACTION = 'keep-message'
const SECRET = { name: 'secret.txt', content: 'payload of the tenant' }

function makeFiles({ directory }: MachineWithLogs): AgentFiles {
  const make = (name: string) => {
    const path = join(directory, name)
    mkdirSync(path, { mode: 0o700 })
    return path
  }
  const [state, actions, included] = [make('rust'), make('actions'), make('included')]
  const revocation = join(directory, 'revocation.json')
  const script = `#!/bin/sh\ncp "$1" ${revocation}.new && mv ${revocation}.new ${revocation}\n`
  writeFileSync(join(actions, ACTION), script, { mode: 0o700 })
  writeFileSync(join(included, SECRET.name), SECRET.content)
  return { state, actions, included, revocation }
}

/** Settings of both agents by the names that they have in the environment, without the prefix. */
function variablesOf({ id, on }: AgentPlace, { state, actions }: AgentFiles, side: Side) {
  const ca = join(side.directory, 'cv_ca', 'cacert.crt')
  const settings = {
    ...{ uuid: id, keylime_dir: state, run_as: '', api_versions: 'default' },
    ...{ ip: '127.0.0.1', port: on.port, contact_ip: '127.0.0.1', contact_port: on.port },
    ...{ registrar_ip: '127.0.0.1', registrar_port: side.registrarHttp, trusted_client_ca: ca },
    ...{ ima_ml_path: on.logs.ima, measuredboot_ml_path: on.logs.boot },
    ...{ verifier_url: `https://127.0.0.1:${side.verifier}`, verifier_tls_ca_cert: ca },
    ...{ attestation_interval_seconds: 1, exponential_backoff_initial_delay: 200 },
    ...{ revocation_actions_dir: actions, revocation_actions: ACTION },
  }
  const named = Object.entries(settings).map(([name, value]) => [
    `KEYLIME_AGENT_${name.toUpperCase()}`,
    String(value),
  ])
  return { ...Object.fromEntries(named), KEYLIME_DIR: state, TCTI: on.tcti }
}

/** The tenant adds the agent with a payload; it attests, gets a message of revocation when it fails, and recovers. */
async function runPullSteps(
  agent: AgentAt,
  on: MachineWithLogs,
  {
    tenant,
    files: { state, included, revocation },
  }: { readonly tenant: Tenant; readonly files: AgentFiles },
): Promise<string> {
  const payload = ['--cert', join(on.directory, 'payload-ca'), '--include', included, '--verify']
  const enrol = (command: string, policy: string) =>
    tenant('-c', command, '-u', agent.id, '--runtime-policy', policy, ...payload)
  await enrol('add', on.policy)
  await expectFile(join(state, 'secure', 'unzipped', SECRET.name), SECRET.content)
  await expectCycle(on, agent, PULL, async (policy) => {
    await expectFile(revocation, agent.id)
    await enrol('update', policy)
  })
  await tenant('-c', 'delete', '-u', agent.id)
  await expectGone(agent)
  return 'added with a payload; attested; failed after an unknown file, and ran its action upon the message of revocation; updated and attested; deleted'
}

function rustAgent(kind: 'pull' | 'push', owner: 'our' | "Keylime's"): InteropTest {
  const [isPush, isOurs] = [kind === 'push', owner === 'our']
  const program = isPush ? 'keylime_push_model_agent' : 'keylime_agent'
  const run = (environment: InteropEnvironment, on: MachineWithLogs) => {
    const side = isOurs ? ourSide(environment) : keylimeSide(environment, isPush)
    const files = makeFiles(on)
    const { directory, registrar } = side
    const place = { id: randomUUID(), on, directory, registrar }
    const words = [join(environment.rustAgents ?? '', program)]
    const started = { words, environment: variablesOf(place, files, side) }
    const agent = { directory, port: side.verifier, id: place.id }
    const tenant = (...rest: readonly string[]) => side.tenant(rest)
    return withAgent(environment, place, started, (running) => {
      if (!isPush) return runPullSteps(agent, on, { tenant, files })
      const mode = isOurs ? { ...PUSH_WITH_REASON, locksOut: running } : PUSH
      return expectPushLife(on, agent, mode, tenant)
    })
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

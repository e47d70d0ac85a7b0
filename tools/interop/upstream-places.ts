import { existsSync, mkdirSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { SetupFault } from '../../conformance/input/fault.ts'
import { freePorts } from '../../conformance/target/processes/free-port.ts'
import type { RunDirectory } from '../../conformance/target/processes/run-directory.ts'
import { runTimed } from '../../conformance/target/processes/run-timed.ts'
import type { PythonEnvironment } from './python-environment.ts'
import { UPSTREAM } from './upstream.ts'

const CONFIG_MS = 60_000
const COMPONENTS = ['verifier', 'registrar', 'tenant', 'ca', 'logging'] as const

/** Ports of the servers of one run. */
interface UpstreamPorts {
  readonly pull: number
  readonly push: number
  readonly registrar: number
  readonly registrarHttp: number
}

/** State directories of the servers of one run, and the environment variables that name them. */
export interface UpstreamPlaces {
  readonly python: PythonEnvironment
  readonly ports: UpstreamPorts
  /** State of the registrar, the polling verifier and the tenant. */
  readonly directory: string
  /** State of the verifier for push agents. */
  readonly pushDirectory: string
  /** Environment variables of every program of the release. */
  readonly environment: Readonly<Record<string, string>>
}

function variablesOf(ports: UpstreamPorts): Readonly<Record<string, string>> {
  const { pull, registrar, registrarHttp } = ports
  return {
    KEYLIME_VERIFIER_PORT: String(pull),
    KEYLIME_VERIFIER_REGISTRAR_PORT: String(registrar),
    KEYLIME_VERIFIER_MAX_WORKERS: '1',
    // In this release, True means that violations in a measurement list are not ignored.
    KEYLIME_VERIFIER_IGNORE_TOMTOU_ERRORS: 'True',
    KEYLIME_REGISTRAR_PORT: String(registrarHttp),
    KEYLIME_REGISTRAR_TLS_PORT: String(registrar),
    KEYLIME_REGISTRAR_MAX_WORKERS: '1',
    KEYLIME_TENANT_VERIFIER_PORT: String(pull),
    KEYLIME_TENANT_REGISTRAR_PORT: String(registrar),
    // All requests of a suite come from one address.
    KEYLIME_VERIFIER_SESSION_CREATE_RATE_LIMIT_PER_IP: '100000',
    KEYLIME_VERIFIER_SESSION_CREATE_RATE_LIMIT_PER_AGENT: '100000',
  }
}

/** Prepares a run: directories, ports, and the configuration that the release's own tool generates. */
export async function prepareUpstream(
  python: PythonEnvironment,
  run: RunDirectory,
  ekCa: string,
): Promise<UpstreamPlaces> {
  const [pull = 0, push = 0, registrar = 0, registrarHttp = 0] = await freePorts(4)
  const ports = { pull, push, registrar, registrarHttp }
  const directory = join(run.path, 'keylime')
  const pushDirectory = join(run.path, 'keylime-push')
  const config = join(run.path, 'keylime-config')
  for (const path of [directory, pushDirectory, config]) mkdirSync(path, { mode: 0o700 })
  const files = COMPONENTS.map(
    (name) => [`KEYLIME_${name.toUpperCase()}_CONFIG`, join(config, `${name}.conf`)] as const,
  )
  const environment = {
    ...Object.fromEntries(files),
    ...variablesOf(ports),
    KEYLIME_DIR: directory,
    KEYLIME_TENANT_TPM_CERT_STORE: ekCa,
    PATH: `${join(python.directory, 'bin')}:${process.env['PATH'] ?? ''}`,
  }
  const command = [join(python.directory, 'bin', 'keylime_upgrade_config'), '--defaults']
  const words = ['--out', config, '--templates', python.templates]
  const timed = { command: [...command, ...words], cwd: run.path, env: environment }
  const task = { what: 'the configuration', key: 'interop', file: 'interop', log: 'config' }
  await runTimed(
    { ...task, code: 'D-START-NOT-FOUND', command: { ...timed, withinMs: CONFIG_MS } },
    run,
  )
  return { python, ports, directory, pushDirectory, environment }
}

/** Creates the directory whose path is not configurable. Returns a function that removes it if it was created here. */
export function makeSocketDirectory(): () => void {
  const path = UPSTREAM.socketDirectory
  if (existsSync(path)) return () => undefined
  try {
    mkdirSync(path)
  } catch (cause) {
    const next = `sudo install -d -o "$USER" ${path}`
    throw new SetupFault(`Keylime's servers need ${path}, which cannot be created`, { next, cause })
  }
  return () => rmdirSync(path)
}

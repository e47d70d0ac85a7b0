import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { DEFAULT_TIMES } from '../limits.ts'
import { freePorts } from '../processes/free-port.ts'
import { createRunDirectory, type RunDirectory } from '../processes/run-directory.ts'
import type { StartCommand, Target, TargetRole } from '../target.ts'
import {
  type IssueOptions,
  makeCa,
  type TestCa,
  temporaryDirectory,
  writeServer,
} from './test-support.ts'

/** A CA, an administrator and a run directory, for tests that start real servers over TLS. */
export interface RunEnvironment {
  readonly directory: string
  readonly ca: TestCa
  readonly run: RunDirectory
  /** A complete target with these roles. */
  readonly target: (roles: readonly TargetRole[], change?: Partial<Target>) => Target
  /** A start command that runs in the environment's directory. */
  readonly start: (command: readonly string[], withinMs?: number) => StartCommand
  /** A role with a real HTTPS server; `certificate` is the one it presents. */
  readonly served: (
    role: TargetRole['role'],
    certificate?: IssueOptions,
    from?: TestCa,
  ) => Promise<RoleWithPort>
}

interface RoleWithPort extends TargetRole {
  readonly start: StartCommand
  readonly port: number
}

export async function makeEnvironment(): Promise<RunEnvironment> {
  const directory = temporaryDirectory()
  const ca = await makeCa(join(directory, 'pki'))
  const admin = await ca.issue('admin', { usages: ['clientAuth'] })
  const run = createRunDirectory(join(directory, 'out'), {
    limits: { graceMs: 1000, killMs: 2000 },
  })
  onTestFinished(() => run.close())
  const server = writeServer(directory)
  const start: RunEnvironment['start'] = (command, withinMs = 5000) => ({
    command,
    cwd: directory,
    env: {},
    ready: { path: '/version', withinMs },
  })
  const served: RunEnvironment['served'] = async (role, certificate = {}, from = ca) => {
    const [port = 0] = await freePorts(1)
    const shown = await from.issue(role, certificate)
    const command = [process.execPath, server, String(port), shown.certificate, shown.key]
    return { role, port, url: `https://127.0.0.1:${port}`, start: start(command) }
  }
  const target: RunEnvironment['target'] = (roles, change = {}) => ({
    file: 'my.target.yaml',
    directory,
    run: run.path,
    name: 'environment',
    versions: ['3.0'],
    capabilities: [],
    roles,
    subjects: [],
    tls: { ca: ca.file, admin },
    ekTrust: { kind: 'unchecked' },
    time: DEFAULT_TIMES,
    lifetimes: {},
    hooks: { general: {}, roles: {} },
    dialect: { base: 'document', values: {}, placeOf: () => 'my.target.yaml:1:1' },
    safety: { loopbackOnly: true, requestsPerSecond: 0, dryRun: false },
    ...change,
  })
  return { directory, ca, run, target, start, served }
}

import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type ImaEntry, isViolation } from '../../simulator/ima/list.ts'
import { loadRecordedBoot, type RecordedBoot } from '../../simulator/platform/recorded-boot.ts'
import type { Manufacturer } from '../../simulator/swtpm/manufacturer.ts'
import { openSwtpmPool } from '../../simulator/swtpm/pool.ts'
import type { Credential } from '../../simulator/x509/factory.ts'
import { paceOf } from '../attempt/pace.ts'
import type { CatalogueRow } from '../catalogue/requirement.ts'
import type { MachineFactory } from '../client/agents/machine-options.ts'
import { ANONYMOUS, type Credentials } from '../client/identity.ts'
import { KeptConnections } from '../client/tls/kept-connections.ts'
import { SecureContexts } from '../client/tls/secure-contexts.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { ownRun } from '../input/own-command.ts'
import { packageRoot } from '../input/package-root.ts'
import type { HarnessAuthority } from '../peers/harness-authority.ts'
import { PullAgentPool } from '../peers/pull-agent-pool.ts'
import { PushAgentPool } from '../peers/push-agent-pool.ts'
import { TenantPool } from '../peers/tenants.ts'
import { createRedactor } from '../report/redaction/redact.ts'
import { type RecordedTpms, Transcripts } from '../report/transcripts/transcripts.ts'
import { controlsOf } from '../target/deployment/controls.ts'
import type { Deployment } from '../target/deployment/deployment.ts'
import { watchHealth } from '../target/deployment/health.ts'
import { recoveryOf } from '../target/deployment/recovery.ts'
import { subjectOf } from '../target/deployment/start-subject.ts'
import type { AllowedDeviations } from '../target/deviations.ts'
import type { RunDirectory } from '../target/processes/run-directory.ts'
import { type SubjectRole, type Target, VARIANTS } from '../target/target.ts'
import { UnservedOperations } from './causes/unserved-operations.ts'
import type { RunEnvironment } from './run-environment.ts'

const BOOT = join(packageRoot(), 'fixtures', 'boots', 'full-ovmf-imasig')

const NEWLINE = 0x0a

/** The factory for the machines of a run: manufacturer, recorded boot, sockets and TPM processes. */
export async function openMachineFactory(
  manufacturer: Manufacturer,
  run: RunDirectory,
): Promise<MachineFactory> {
  const place = {
    directory: run.sockets,
    onProcess: (pid: number, what: string) => run.record(pid, what),
    environment: run.environment,
  }
  return {
    ...place,
    manufacturer,
    boot: withoutIrregularEntries(await loadRecordedBoot(BOOT)),
    tpms: openSwtpmPool(place),
  }
}

/**
 * The recorded boot without entries that a verifier may reject: violations, and names with line breaks, for which
 * entry count and line count differ. Scenarios that need such entries make them.
 */
function withoutIrregularEntries({ uefi, ima }: RecordedBoot): RecordedBoot {
  const isIrregular = (entry: ImaEntry) =>
    isViolation(entry) || entry.fields[1]?.includes(NEWLINE) === true
  return { uefi, ima: ima.filter((entry) => !isIrregular(entry)) }
}

export interface EnvironmentParts {
  readonly target: Target
  readonly deployment: Deployment
  readonly run: RunDirectory
  readonly factory: MachineFactory
  /** The identity of the harness when it plays registrar and verifier; without it no agent is started. */
  readonly authority?: HarnessAuthority
  readonly dialect: Dialect
  readonly deviations: AllowedDeviations
  readonly rows: readonly CatalogueRow[]
  readonly seed: string
  /** The file of the scenario, unless Assay ships it. */
  readonly scenario?: string
  readonly interrupted: AbortSignal
  /** The states of TPMs that a scenario begins with. */
  readonly recordedTpms?: RecordedTpms
  readonly onRecorded?: Required<RunEnvironment>['onRecorded']
  /** Where transcripts are kept; absent: they are dropped. */
  readonly transcripts?: Transcripts
}

/** Makes the run environment for a deployment that answers; its certificate files must exist by now. */
export function makeEnvironment(parts: EnvironmentParts): RunEnvironment {
  const { target, deployment, run, authority, ...rest } = parts
  const admin = loadAdmin(target)
  const issuer = loadIssuer(target)
  const pools = poolsOf(parts)
  const contexts = new SecureContexts(readFileSync(target.tls.ca, 'utf8'))
  return {
    transcripts: new Transcripts('none'),
    unserved: new UnservedOperations(),
    ...rest,
    ...pools,
    controls: controlsOf(target, run, deployment),
    urls: {
      registrar: deployment.roles.registrar?.url,
      verifier: deployment.roles.verifier?.url,
      provider: undefined,
      plainRegistrar: target.roles.find(({ role }) => role === 'registrar')?.http,
    },
    lifetimes: target.lifetimes,
    variants: variantsOf(target),
    versions: target.versions,
    capabilities: target.capabilities,
    contexts,
    kept: new KeptConnections(contexts, [ANONYMOUS, admin]),
    tlsFiles: target.tls,
    admin,
    ...(issuer === undefined ? {} : { issuer }),
    scenarioMs: target.time.scenarioWithinMs,
    requestMs: target.time.requestWithinMs,
    verdictWithinMs: target.time.verdictWithinMs,
    quoteIntervalMs: target.time.quoteIntervalMs,
    now: () => performance.now(),
    wait: (ms) => pause(ms),
    health: watchHealth(target, deployment),
    recovered: recoveryOf(target),
    pace: paceOf(target.safety.requestsPerSecond, () => performance.now()),
    redactor: createRedactor(
      hostPaths(run),
      [
        ...[admin.certificate?.key, authority?.admin.certificate?.key],
        ...[issuer?.key, authority?.issuer.key, authority?.server.key],
      ].filter((key) => key !== undefined),
    ),
    repeat: (id) => repeatCommand(parts, id),
  }
}

function variantsOf({ roles, lifetimes: usual }: Target): RunEnvironment['variants'] {
  const found = VARIANTS.map((name) => {
    const own = roles.flatMap(({ role, variants = [] }) =>
      variants.flatMap((one) => (one.name === name ? [{ role, ...one }] : [])),
    )
    const urls = Object.fromEntries(own.map(({ role, url }) => [role, url]))
    const lifetimes = own.find(({ role }) => role === 'verifier')?.lifetimes ?? usual
    return [name, { urls, lifetimes }] as const
  })
  return Object.fromEntries(found.filter(([, { urls }]) => Object.keys(urls).length > 0))
}

function poolsOf({
  seed,
  authority,
  ...parts
}: EnvironmentParts): Pick<RunEnvironment, 'pullAgents' | 'pushAgents' | 'tenants'> {
  if (authority === undefined) return {}
  const has = (role: SubjectRole) => subjectOf(parts.target, role) !== undefined
  return {
    ...(has('pull_agent') ? { pullAgents: new PullAgentPool({ ...parts, authority }, seed) } : {}),
    ...(has('push_agent') ? { pushAgents: new PushAgentPool({ ...parts, authority }, seed) } : {}),
    ...(has('tenant') || has('tenant_web')
      ? { tenants: new TenantPool({ ...parts, authority }) }
      : {}),
  }
}

function loadAdmin({ tls }: Target): Credentials {
  const cert = readFileSync(tls.admin.certificate, 'utf8')
  const subject = new X509Certificate(cert).subject.replaceAll('\n', ', ')
  return { name: 'admin', certificate: { cert, key: readFileSync(tls.admin.key, 'utf8'), subject } }
}

function loadIssuer({ tls: { issuer } }: Target): Credential | undefined {
  if (issuer === undefined) return undefined
  return {
    certificate: readFileSync(issuer.certificate, 'utf8'),
    key: readFileSync(issuer.key, 'utf8'),
  }
}

function hostPaths(run: RunDirectory) {
  return [
    { prefix: run.path, name: '<run>' },
    { prefix: run.sockets, name: '<sockets>' },
    { prefix: packageRoot(), name: '<assay>' },
    { prefix: process.cwd(), name: '<cwd>' },
  ]
}

function repeatCommand({ target: { file }, seed, scenario }: EnvironmentParts, id: string): string {
  const own = relative(packageRoot(), file) === join('reference', 'assay.target.yaml')
  const named = own ? '' : `--target ${file} `
  const chosen = scenario === undefined ? `--only ${id}` : `--scenario ${scenario}`
  return `${ownRun()} ${named}--seed ${seed} ${chosen}`
}

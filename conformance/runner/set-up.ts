import { X509Certificate } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { loadRecordedBoot } from '../../simulator/recorded-boot.ts'
import { createManufacturer } from '../../simulator/swtpm/manufacturer.ts'
import type { RunOptions } from '../cli-options.ts'
import { chooseDialect } from '../client/choose-dialect.ts'
import type { Dialect } from '../client/dialect.ts'
import type { Speaker } from '../client/identity.ts'
import { packageRoot } from '../package-root.ts'
import { createRedactor } from '../report/redact.ts'
import type { SetupStep } from '../report/result.ts'
import { loadProfile } from '../spec/profiles/load-profile.ts'
import type { CatalogueRow } from '../spec/requirement.ts'
import { type Deployment, startDeployment } from '../target/deployment.ts'
import { loadTarget } from '../target/load-target.ts'
import { preflight } from '../target/preflight.ts'
import type { RunDirectory } from '../target/run-directory.ts'
import type { Target } from '../target/target.ts'
import { checkSwtpm } from './check-tools.ts'
import type { Excuses } from './excuses.ts'
import { loadWaivers } from './load-waivers.ts'
import { paceOf } from './pace.ts'
import type { Bench } from './run-scenario.ts'
import type { Scenario } from './scenario.ts'

/** A deployment that answers, and everything that scenarios need. */
export interface SetUp {
  readonly target: Target
  readonly deployment: Deployment
  readonly bench: Bench
  readonly excuses: Excuses
}

export interface SetUpRequest {
  readonly options: RunOptions
  readonly seed: string
  readonly run: RunDirectory
  readonly requirements: readonly CatalogueRow[]
  readonly scenarios: readonly Scenario[]
  readonly onStep: (step: SetupStep) => void
  readonly interrupted: AbortSignal
}

const BOOT = join('fixtures', 'boots', 'full-ovmf-imasig')

/** Reads the target, starts its roles, looks it over, and lays out the bench. Throws a `SetupFault` otherwise. */
export async function setUp(request: SetUpRequest): Promise<SetUp> {
  const { options, run, onStep } = request
  checkSwtpm(process.env.PATH)
  const manufacturer = await createManufacturer({ now: new Date() })
  const ekCa = join(run.path, 'ek-ca.pem')
  writeFileSync(ekCa, manufacturer.certificatePem)
  const target = await loadTarget(options.target, { run: run.path, ekCa, env: process.env })
  const dialect = chooseDialect(target.dialect)
  const excuses = loadExcuses(request, target)
  const deployment = await startDeployment(target, run)
  deployment.steps.forEach(onStep)
  await preflight(target, deployment, { onStep })
  const workshop = {
    directory: run.sockets,
    manufacturer,
    boot: await loadRecordedBoot(join(packageRoot(), BOOT)),
    onProcess: (pid: number, what: string) => run.record(pid, what),
  }
  const bench = makeBench(request, { target, deployment, workshop, excuses, dialect })
  return { target, deployment, bench, excuses }
}

function loadExcuses(
  { options, requirements, scenarios }: SetUpRequest,
  { waivers, profile }: Target,
): Excuses {
  const file = options.waivers ?? waivers
  return {
    waivers: file === undefined ? [] : loadWaivers(file, requirements, scenarios),
    ...(profile === undefined ? {} : { profile: loadProfile(profile, requirements) }),
    today: new Date().toISOString().slice(0, 10),
  }
}

interface BenchParts extends Pick<SetUp, 'target' | 'deployment' | 'excuses'> {
  readonly workshop: Bench['workshop']
  readonly dialect: Dialect
}

function makeBench(request: SetUpRequest, parts: BenchParts): Bench {
  const { options, seed, run, requirements, interrupted } = request
  const { target, deployment, workshop, excuses } = parts
  const admin = loadAdmin(target)
  return {
    urls: { registrar: deployment.roles.registrar?.url, verifier: deployment.roles.verifier?.url },
    versions: target.versions,
    capabilities: target.capabilities,
    dialect: parts.dialect,
    ca: readFileSync(target.tls.ca, 'utf8'),
    admin,
    workshop,
    seed,
    scenarioMs: target.time.scenarioWithinMs,
    requestMs: target.time.requestWithinMs,
    verdictWithinMs: target.time.verdictWithinMs,
    now: () => performance.now(),
    wait: (ms) => pause(ms),
    pace: paceOf(target.safety.requestsPerSecond, () => performance.now()),
    redactor: createRedactor(hostPaths(run), [admin.certificate?.key ?? '']),
    interrupted,
    rows: requirements,
    excuses,
    repeat: (id) => repeatCommand(options, seed, id),
  }
}

function loadAdmin({ tls }: Target): Speaker {
  const cert = readFileSync(tls.admin.certificate, 'utf8')
  const subject = new X509Certificate(cert).subject.replaceAll('\n', ', ')
  return { name: 'admin', certificate: { cert, key: readFileSync(tls.admin.key, 'utf8'), subject } }
}

function hostPaths(run: RunDirectory) {
  return [
    { prefix: run.path, name: '<run>' },
    { prefix: run.sockets, name: '<sockets>' },
    { prefix: packageRoot(), name: '<assay>' },
    { prefix: process.cwd(), name: '<cwd>' },
  ]
}

function repeatCommand({ target }: RunOptions, seed: string, id: string): string {
  const own = relative(packageRoot(), target) === join('reference', 'assay.target.yaml')
  const named = own ? '' : `--target ${target} `
  return `npm start -- ${named}--seed ${seed} --only ${id}`
}

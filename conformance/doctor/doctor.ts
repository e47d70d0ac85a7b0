import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createManufacturer } from '../../simulator/swtpm/manufacturer.ts'
import { presentTargetFile } from '../options/default-target.ts'
import { makeHarnessAuthority } from '../peers/harness-authority.ts'
import { DOCTOR_CHECKS, examine, findingOf } from '../preflight/examine.ts'
import type { DoctorReport, Finding } from '../preflight/finding.ts'
import { checkSwtpm } from '../runner/check-tools.ts'
import { openMachineFactory } from '../runner/make-environment.ts'
import { preflightProbes } from '../runner/preflight-probes.ts'
import { chooseDialect } from '../target/choose-dialect.ts'
import type { Deployment } from '../target/deployment/deployment.ts'
import { startOnFreePorts } from '../target/deployment/start-on-free-ports.ts'
import { NO_DEVIATIONS } from '../target/deviations.ts'
import { loadTarget } from '../target/load-target.ts'
import { closeOnSignal } from '../target/processes/close-on-signal.ts'
import { createRunDirectory, type RunDirectory } from '../target/processes/run-directory.ts'
import { sweepStaleRuns } from '../target/processes/sweep-stale-runs.ts'
import { type DoctorOptions, parseDoctorOptions } from './doctor-options.ts'
import { presentFinding, presentOutcome } from './present-report.ts'

interface Task {
  readonly options: DoctorOptions
  readonly run: RunDirectory
  readonly onFinding: (finding: Finding) => void
}

/** A fault before the deployment can be checked; the doctor stops there. */
class EarlyFault extends Error {
  readonly finding: Finding

  constructor(finding: Finding) {
    super(finding.detail)
    this.finding = finding
  }
}

async function early<T>(what: string, take: () => Promise<T>): Promise<T> {
  const began = performance.now()
  try {
    return await take()
  } catch (error) {
    throw new EarlyFault(findingOf(error, what, Math.round(performance.now() - began)))
  }
}

/** A finding per started role, for its start time; a role that did not start is an {@link EarlyFault} instead. */
function startedFindings({ steps }: Deployment): readonly Finding[] {
  return steps.map((step) => ({ code: 'D-START-NOT-READY', ...step }))
}

async function examineTarget({ options, run, onFinding }: Task): Promise<DoctorReport> {
  const manufacturer = await createManufacturer({ now: new Date() })
  const ekCa = join(run.path, 'ek-ca.pem')
  writeFileSync(ekCa, manufacturer.certificatePem)
  await makeHarnessAuthority(run.path)
  const surroundings = { run: run.path, ekCa, env: process.env }
  const read = await early('target file', () => loadTarget(options.target, surroundings))
  const named: Finding = {
    ...{ code: 'D-TARGET-UNREADABLE', what: 'target', ok: true, ms: 0 },
    detail: presentTargetFile(read),
  }
  onFinding(named)
  await early('swtpm', async () => checkSwtpm(process.env.PATH))
  const { target, deployment } = await early('start', () =>
    startOnFreePorts(read, surroundings, run),
  )
  const started = startedFindings(deployment)
  started.forEach(onFinding)
  const first = [named, ...started]
  const parts = {
    ...{ target, deployment, run, factory: await openMachineFactory(manufacturer, run) },
    ...{ dialect: await early('target file', async () => chooseDialect(target.dialect)) },
    ...{
      deviations: NO_DEVIATIONS,
      rows: [],
      seed: 'doctor',
      interrupted: new AbortController().signal,
    },
  }
  const report = await examine(target, deployment, { onFinding, ...preflightProbes(parts) })
  return { ...report, findings: [...first, ...report.findings] }
}

/** The report for a target file that is not valid, or a deployment that does not start. */
function reportOfFault(error: unknown, { options, onFinding }: Task): DoctorReport {
  if (!(error instanceof EarlyFault)) throw error
  const { finding } = error
  onFinding(finding)
  const why = `${finding.code} must be resolved first`
  return {
    schema: 'assay.doctor/1',
    target: options.target,
    ok: false,
    findings: [finding],
    not_made: DOCTOR_CHECKS.map(({ name }) => ({ check: name, why })),
  }
}

async function runDoctor(
  options: DoctorOptions,
  out: NodeJS.WritableStream,
): Promise<DoctorReport> {
  await sweepStaleRuns(options.out)
  const run = createRunDirectory(options.out)
  const undo = closeOnSignal(() => run.close())
  const onFinding = (finding: Finding) => {
    if (!options.json) out.write(`${presentFinding(finding)}\n`)
  }
  const task = { options, run, onFinding }
  try {
    return await examineTarget(task).catch((error: unknown) => reportOfFault(error, task))
  } finally {
    await run.close()
    undo()
  }
}

/**
 * `assay doctor`: starts the roles of a target file, checks the deployment, prints the findings, and ends the roles.
 * Returns 0 without faults, otherwise 2; warnings do not count.
 */
export async function doctorMain(
  argv: readonly string[],
  out: NodeJS.WritableStream = process.stdout,
): Promise<number> {
  const options = parseDoctorOptions(argv)
  if (options === undefined) return 0
  const report = await runDoctor(options, out)
  out.write(options.json ? `${JSON.stringify(report, null, 2)}\n` : `\n${presentOutcome(report)}\n`)
  return report.ok ? 0 : 2
}

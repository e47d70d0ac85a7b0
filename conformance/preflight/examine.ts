import { paceOf } from '../attempt/pace.ts'
import { SetupFault } from '../input/fault.ts'
import type { FaultCode } from '../input/fault-codes.ts'
import { type FileCheck, listFileChecks } from '../target/check-files.ts'
import type { Deployment } from '../target/deployment/deployment.ts'
import { HOOKS_OF_CAPABILITIES } from '../target/deployment/hooks.ts'
import { exceedsCertification } from '../target/limits.ts'
import type { Target } from '../target/target.ts'
import { createAsk } from './ask.ts'
import { checkAdmin } from './check-admin.ts'
import { checkAnswers } from './check-answers.ts'
import { checkCapabilities } from './check-capabilities.ts'
import { checkClock } from './check-clock.ts'
import { checkEkTrust } from './check-ek-trust.ts'
import { checkFunction } from './check-function.ts'
import { checkHooks } from './check-hooks.ts'
import { checkUrls } from './check-urls.ts'
import { checkMode, checkVersions } from './check-versions.ts'
import {
  type CheckStep,
  type DialectProbe,
  type DoctorCheck,
  type Examination,
  STAGES,
  type StepResult,
  urlOf,
} from './examination.ts'
import type { DoctorReport, Finding, NotMade } from './finding.ts'

function checkFile({ run }: FileCheck): StepResult {
  const detail = run()
  if (!detail.includes('warning: ')) return { detail }
  const next = 'issue it with the extended key usage clientAuth'
  return { detail: detail.replace('warning: ', ''), warning: { code: 'D-CERT-EKU', next } }
}

/** CA, certificate and key of the administrator are readable, valid now, usable by a client, and match. */
const checkFiles: DoctorCheck = {
  name: 'files',
  stage: 'files',
  codes: ['D-CERT-UNREADABLE', 'D-CERT-EXPIRED', 'D-CERT-EKU', 'D-CERT-KEY'],
  steps: ({ target, now }) =>
    listFileChecks(target, new Date(now())).map((check) => ({
      what: check.what,
      run: () => checkFile(check),
    })),
}

/** Warns of time limits above the certification maximum: such a run cannot be certified. */
const checkTimes: DoctorCheck = {
  name: 'times',
  stage: 'files',
  codes: ['D-TARGET-LIMITS'],
  steps: ({ target }) =>
    exceedsCertification(target).map(({ key, sentence }) => ({
      what: `time.${key}`,
      run: () => {
        const next = `shorten time.${key} in ${target.file} for a run that is to be certified`
        return { detail: sentence, warning: { code: 'D-TARGET-LIMITS', next } }
      },
    })),
}

async function tryForm(at: Examination, { run }: DialectProbe): Promise<StepResult> {
  const { target, ask } = at
  const [verifier, registrar] = [urlOf(at, 'verifier'), urlOf(at, 'registrar')]
  const urls = { ...(verifier && { verifier }), ...(registrar && { registrar }) }
  const { verdict, detail, next } = await run(ask, urls)
  const place = target.dialect.placeOf()
  const wrong = { code: 'D-DIALECT', next: next ?? `correct dialect at ${place}` } as const
  if (verdict === 'rejected') throw new SetupFault(detail, wrong)
  if (verdict === 'accepted') return { detail }
  const read = 'read the first failures of the run: a component that does not work passes nothing'
  return { detail, warning: { code: 'D-FUNCTION', next: read } }
}

/** The deployment accepts requests in the dialect of its target file. */
const checkDialect: DoctorCheck = {
  name: 'dialect',
  stage: 'service',
  codes: ['D-DIALECT', 'D-FUNCTION'],
  steps: (at) =>
    at.dialectProbes.map((probe) => ({ what: probe.what, run: () => tryForm(at, probe) })),
}

/** Every check, in execution order. */
export const DOCTOR_CHECKS: readonly DoctorCheck[] = [
  checkFiles,
  checkTimes,
  checkHooks,
  checkAnswers,
  checkClock,
  checkAdmin,
  checkUrls,
  checkVersions,
  checkMode,
  checkFunction,
  checkDialect,
  checkEkTrust,
  checkCapabilities,
]

export interface ExamineOptions
  extends Partial<
    Pick<
      Examination,
      'now' | 'dialectProbes' | 'neededHooks' | 'startMachine' | 'probeCapabilities'
    >
  > {
  /** Receives each finding as it is made. */
  readonly onFinding?: (finding: Finding) => void
}

function examinationOf(
  target: Target,
  deployment: Deployment,
  options: ExamineOptions,
): Examination {
  const { now = Date.now, dialectProbes = [], neededHooks = HOOKS_OF_CAPABILITIES } = options
  const pace = paceOf(target.safety.requestsPerSecond, () => performance.now())
  const ask = createAsk(target.tls, { withinMs: target.time.requestWithinMs, pace })
  const { startMachine, probeCapabilities } = options
  return {
    ...{ target, deployment, ask, now, dialectProbes, neededHooks },
    ...(startMachine && { startMachine }),
    ...(probeCapabilities && { probeCapabilities }),
  }
}

/** A fault as a finding; rethrows an error without a code, which is a defect of Assay. */
export function findingOf(error: unknown, what: string, ms: number): Finding {
  if (!(error instanceof SetupFault) || error.code === undefined) throw error
  const { code, sentence, next } = error
  const fault = { code, what, ok: false, severity: 'fault', detail: sentence, ms } as const
  return next === undefined ? fault : { ...fault, next }
}

async function runStep({ what, run }: CheckStep, code: FaultCode): Promise<Finding> {
  const began = performance.now()
  const elapsed = () => Math.round(performance.now() - began)
  try {
    const { detail, warning } = await run()
    if (warning === undefined) return { code, what, ok: true, detail, ms: elapsed() }
    return { ...warning, what, ok: false, severity: 'warning', detail, ms: elapsed() }
  } catch (error) {
    return findingOf(error, what, elapsed())
  }
}

export function isFault({ severity }: Finding): boolean {
  return severity === 'fault'
}

/**
 * Checks a running deployment, stage by stage: files, connection, identity, service, trial. A stage with a fault is
 * completed, and the later ones are skipped. Leaves no data in the deployment.
 */
export async function examine(
  target: Target,
  deployment: Deployment,
  options: ExamineOptions = {},
): Promise<DoctorReport> {
  const at = examinationOf(target, deployment, options)
  const findings: Finding[] = []
  const notMade: NotMade[] = []
  for (const stage of STAGES) {
    const cause = findings.find(isFault)
    for (const { name, codes, steps } of DOCTOR_CHECKS.filter((check) => check.stage === stage)) {
      if (cause !== undefined) {
        notMade.push({ check: name, why: `${cause.code} must be resolved first` })
        continue
      }
      for (const step of steps(at)) {
        const finding = await runStep(step, codes[0])
        findings.push(finding)
        options.onFinding?.(finding)
      }
    }
  }
  return {
    schema: 'assay.doctor/1',
    target: target.file,
    name: target.name,
    ok: !findings.some(isFault),
    findings,
    not_made: notMade,
  }
}

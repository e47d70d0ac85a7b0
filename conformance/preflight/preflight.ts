import { SetupFault } from '../input/fault.ts'
import type { SetupStep } from '../report/result.ts'
import type { Deployment } from '../target/deployment/deployment.ts'
import type { Target } from '../target/target.ts'
import { type ExamineOptions, examine, isFault } from './examine.ts'
import type { Finding } from './finding.ts'

interface PreflightOptions extends Omit<ExamineOptions, 'onFinding'> {
  /** Receives each step, the failing one included. */
  readonly onStep?: (step: SetupStep) => void
}

/** The step of a finding; a warning does not stop the run, so its step is ok and has the warning in its detail. */
function stepOf(finding: Finding): SetupStep {
  const { what, ok, detail, ms } = finding
  if (ok || isFault(finding)) return { what, ok, detail, ms }
  return { what, ok: true, detail: `warning: ${detail}`, ms }
}

/**
 * Runs the checks of `assay doctor` before the first scenario. Returns the steps, all ok; throws the {@link
 * SetupFault} of the first one that fails.
 */
export async function preflight(
  target: Target,
  deployment: Deployment,
  options: PreflightOptions = {},
): Promise<readonly SetupStep[]> {
  const { onStep = () => undefined, ...rest } = options
  const onFinding = (finding: Finding) => onStep(stepOf(finding))
  const { findings } = await examine(target, deployment, { ...rest, onFinding })
  const fault = findings.find(isFault)
  if (fault === undefined) return findings.map(stepOf)
  const { code, detail, next } = fault
  throw new SetupFault(detail, next === undefined ? { code } : { code, next })
}

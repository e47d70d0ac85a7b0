import { SetupFault } from '../input/fault.ts'
import type { SetupStep } from '../report/result.ts'
import type { Deployment } from '../target/deployment/deployment.ts'
import type { Target } from '../target/target.ts'
import { type ExamineOptions, examine, isFault } from './examine.ts'
import type { Finding } from './finding.ts'

export interface PreflightOptions extends Omit<ExamineOptions, 'onFinding'> {
  /** Told of each step as it is taken, the failing one included. */
  readonly onStep?: (step: SetupStep) => void
}

/** A warning is no reason not to go on, so that its step is ok and says what it warns of. */
function stepOf(finding: Finding): SetupStep {
  const { what, ok, detail, ms } = finding
  if (ok || isFault(finding)) return { what, ok, detail, ms }
  return { what, ok: true, detail: `warning: ${detail}`, ms }
}

/**
 * Looks, before the first scenario, at everything that would otherwise fail as a riddle: the checks of `assay doctor`.
 * Returns the steps taken, all ok; throws the {@link SetupFault} of the first that is not.
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

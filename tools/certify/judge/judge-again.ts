import type { RunResult } from '../../../conformance/report/result.ts'
import { withoutBaseline } from '../../../conformance/runner/result/baseline.ts'
import { allowancesIn } from '../../../conformance/runner/result/certification.ts'
import { neededOf } from '../../../conformance/runner/result/complaints.ts'
import { judgeRun } from '../../../conformance/runner/result/judge-run.ts'
import type { Judge } from '../../../conformance/runner/result/merge-results.ts'
import { withoutBlocks } from '../../../conformance/runner/result/proven.ts'

/** The result that `assay run` gives for the recorded scenarios of a run: the verdict is computed, not read. */
export function judgeAgain(
  result: RunResult,
  { scenarios, requirements }: Pick<Judge, 'scenarios' | 'requirements'>,
): RunResult {
  const { target, selection, ended_early: ended, baseline, complaints } = result
  return judgeRun({
    facts: result,
    results: withoutBlocks(withoutBaseline(result.scenarios)),
    ...{ scenarios, requirements, ended, baseline },
    capabilities: neededOf(target.capabilities ?? [], scenarios),
    roles: target.roles.map(({ role }) => role),
    narrowing: selection ?? { only: [], role: [], version: [] },
    complaints: complaints.filter((complaint) => complaint !== ended?.says),
    allowances: allowancesIn(result),
  })
}

import { reportChecks } from '../../../evidence/sev-snp/report-checks.ts'
import { eachMinusOne, type Mutant } from './list-minus-one.ts'

/** Verifiers that leave out one check of SEV-SNP reports. */
export const REPORT_MUTANTS: readonly Mutant[] = eachMinusOne({
  checks: reportChecks,
  defectWithout: ({ id, why }) => `${id} is not checked, although ${why}`,
  partsWith: (checks) => ({ reportChecks: checks }),
})

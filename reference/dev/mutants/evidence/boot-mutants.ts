import { defaultChecks } from '../../../evidence/evaluate.ts'
import { eachMinusOne, type Mutant } from './list-minus-one.ts'
import { withChecks } from './with-checks.ts'

/** Verifiers that lack one check of boot logs. */
export const BOOT_MUTANTS: readonly Mutant[] = eachMinusOne({
  checks: defaultChecks.bootPolicy,
  defectWithout: ({ id, why }) => `${id} is not checked, although ${why}`,
  partsWith: (bootPolicy) => withChecks({ ...defaultChecks, bootPolicy }),
})

import type { Check } from '../../../evidence/check.ts'
import { type CheckLists, defaultChecks } from '../../../evidence/evaluate.ts'
import { possessionChecks } from '../../../evidence/quote/possession.ts'
import { eachMinusOne, type Mutant } from './list-minus-one.ts'
import { withChecks } from './with-checks.ts'

type ListName = keyof CheckLists

/** The parts with one of the evaluator's lists in place of the shipped one. */
function withList(name: ListName, checks: readonly { readonly id: string }[]): Mutant['parts'] {
  return withChecks({ ...defaultChecks, [name]: checks } as CheckLists)
}

function defectWithout({ id, why }: Check<never>): string {
  return `${id} is not checked, although ${why}`
}

const UNPROVEN = ['quote.nonce', 'quote.signature']

/** A verifier whose quotes prove nothing: neither their nonce nor their signature is checked. */
const PROVES_NOTHING: Mutant = {
  id: 'quote-proves-nothing',
  defect: `neither ${UNPROVEN.join(' nor ')} is checked`,
  parts: withList(
    'quote',
    defaultChecks.quote.filter(({ id }) => !UNPROVEN.includes(id)),
  ),
}

/** What only polls ask has its mutants among those of polls, and boot policies have theirs apart. */
const ELSEWHERE: readonly ListName[] = ['boundKey', 'bootPolicy']
const LISTS = (Object.keys(defaultChecks) as readonly ListName[]).filter(
  (name) => !ELSEWHERE.includes(name),
)

/** Verifiers that lack one check: each list of the evaluation, and that of session proofs. */
export const EVIDENCE_MUTANTS: readonly Mutant[] = [
  PROVES_NOTHING,
  ...LISTS.flatMap((name) =>
    eachMinusOne({
      checks: defaultChecks[name] as readonly Check<never>[],
      defectWithout,
      partsWith: (checks) => withList(name, checks),
    }),
  ),
  ...eachMinusOne({
    checks: possessionChecks as readonly Check<never>[],
    defectWithout,
    partsWith: (checks) => ({ possessionChecks: checks as typeof possessionChecks }),
  }),
]

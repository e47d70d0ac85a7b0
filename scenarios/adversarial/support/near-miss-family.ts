import { whyUnread } from '../../../conformance/catalogue/adversarial/evidence-forms.ts'
import { evidenceRequest } from '../../../conformance/catalogue/adversarial/evidence-request.ts'
import type { NearMiss } from '../../../conformance/catalogue/adversarial/near-misses/near-miss.ts'
import { NEAR_MISS_GROUPS } from '../../../conformance/catalogue/adversarial/near-misses/near-miss-groups.ts'
import {
  at,
  type Context,
  isRefusal,
  listOf,
  results,
  type Scenario,
} from '../../../conformance/scenario.ts'
import { answerIn, NOT_VALID } from '../../../conformance/steps/evidence-validity.ts'

const VALID = 'VER-EVIDENCE-VALID'

/** What the scenarios of a family do with the near misses of a group. */
interface Family {
  readonly titleOf: (title: string) => string
  readonly requirementsOf: (rows: readonly NearMiss[]) => readonly string[]
  readonly choose: (rows: readonly NearMiss[]) => readonly NearMiss[]
  readonly checkRow: (context: Context, row: NearMiss) => Promise<void>
}

/** Returns one scenario for each group of near misses. */
function familyOf(place: string, twin: string, family: Family): readonly Scenario[] {
  return NEAR_MISS_GROUPS.map(({ id, title, rows, needs }) => ({
    id: `${place}.${id}`,
    title: family.titleOf(title),
    requirements: family.requirementsOf(rows),
    role: 'verifier',
    since: '2.4',
    until: '2.5',
    variantOf: twin,
    ...(needs && { needs }),
    async run(context) {
      const read = rows.filter(({ forms = [] }) => !whyUnread(forms, context.verifier.dialect))
      for (const row of family.choose(read)) await family.checkRow(context, row)
    },
  }))
}

/** Valid and invalid evidence, one after the other, so that a verifier that remembers an answer gives a wrong one. */
export function nearMissFamily(place: string, twin: string): readonly Scenario[] {
  return familyOf(place, twin, {
    titleOf: (title) => title,
    requirementsOf: (rows) => [...new Set(rows.map(({ breaks = VALID }) => breaks))],
    choose: (rows) => rows,
    checkRow,
  })
}

const GIVEN = 'VER-EVIDENCE-FAILURES-GIVEN'
const SHAPE = 'VER-EVIDENCE-FAILURE-SHAPE'
const MESSAGE = 'VER-EVIDENCE-FAILURE-MESSAGE'

/** Two near misses of each requirement, and what the verifier says of their failures. */
export function failuresFamily(place: string, twin: string): readonly Scenario[] {
  return familyOf(place, twin, {
    titleOf: (title) => `Each failure has a dotted type and a sentence: ${title}`,
    requirementsOf: () => [GIVEN, SHAPE, MESSAGE],
    choose: endsOfEachKind,
    checkRow: checkFailures,
  })
}

/** The first and the last near miss of each requirement: they are the least alike. */
function endsOfEachKind(rows: readonly NearMiss[]): readonly NearMiss[] {
  const misses = rows.filter(({ breaks }) => breaks !== undefined)
  const kinds = new Set(misses.map(({ breaks }) => breaks))
  const ends = [...kinds].flatMap((kind) => {
    const own = misses.filter(({ breaks }) => breaks === kind)
    return [...own.slice(0, 1), ...own.slice(-1)]
  })
  return [...new Set(ends)]
}

const DOTTED = /^[\w-]+(\.[\w*-]+)+$/

async function checkFailures(
  { verifier, check, observe }: Context,
  { sends, evidence }: NearMiss,
): Promise<void> {
  const reply = await verifier.verifyEvidence(evidenceRequest(evidence()), sends)
  if (isRefusal(reply)) return observe('FAILTYPE', sends, 'refused without failures')
  const failures = listOf(results(reply, 'failures')) ?? []
  check(GIVEN, `number of failures of ${sends}`)
    .of(failures.length)
    .matches('one at least', (count) => count > 0)
  check(SHAPE, `types of the failures of ${sends}`)
    .of(failures.map((failure) => at(failure, 'type')))
    .matches('dotted types', (types) => types.every((type) => DOTTED.test(String(type))))
  check(MESSAGE, `contexts of the failures of ${sends}`)
    .of(failures.map((failure) => at(failure, 'context')))
    .matches('objects, each with a sentence in it', (contexts) =>
      contexts.every((context) =>
        Object.values(context ?? {}).some((text) => /\w \w/.test(String(text))),
      ),
    )
}

async function checkRow({ verifier, check }: Context, row: NearMiss): Promise<void> {
  const { sends, breaks = VALID, evidence } = row
  const reply = await verifier.verifyEvidence(evidenceRequest(evidence()), sends)
  const answer = check(breaks, `valid of ${sends}`).of(answerIn(reply))
  if (breaks === VALID) answer.is(true)
  else answer.matches(...NOT_VALID)
}

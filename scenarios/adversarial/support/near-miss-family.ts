import { whyUnread } from '../../../conformance/catalogue/adversarial/evidence-forms.ts'
import { evidenceRequest } from '../../../conformance/catalogue/adversarial/evidence-request.ts'
import type { NearMiss } from '../../../conformance/catalogue/adversarial/near-misses/near-miss.ts'
import { NEAR_MISS_GROUPS } from '../../../conformance/catalogue/adversarial/near-misses/near-miss-groups.ts'
import {
  at,
  type Context,
  isRefusal,
  listOf,
  type Reply,
  results,
  type Scenario,
} from '../../../conformance/scenario.ts'
import { answerIn, NOT_VALID } from '../../../conformance/steps/evidence-validity.ts'

const VALID = 'VER-EVIDENCE-VALID'

const GIVEN = 'VER-EVIDENCE-FAILURES-GIVEN'
const SHAPE = 'VER-EVIDENCE-FAILURE-SHAPE'
const MESSAGE = 'VER-EVIDENCE-FAILURE-MESSAGE'

/**
 * Returns one scenario for each group of near misses: valid and invalid evidence, one after the other, so that a
 * verifier that remembers an answer gives a wrong one.
 */
export function nearMissFamily(place: string, twin: string): readonly Scenario[] {
  return NEAR_MISS_GROUPS.map(({ id, title, rows, needs }) => ({
    id: `${place}.${id}`,
    title,
    requirements: [
      ...new Set([...rows.map(({ breaks = VALID }) => breaks), GIVEN, SHAPE, MESSAGE]),
    ],
    role: 'verifier',
    since: '2.4',
    until: '2.5',
    variantOf: twin,
    ...(needs && { needs }),
    async run(context) {
      for (const row of rows)
        if (!whyUnread(row.forms ?? [], context.verifier.dialect)) await checkRow(context, row)
    },
  }))
}

async function checkRow(context: Context, row: NearMiss): Promise<void> {
  const { verifier, check } = context
  const { sends, breaks = VALID, evidence } = row
  const reply = await verifier.verifyEvidence(evidenceRequest(evidence()), sends)
  const answer = check(breaks, `valid of ${sends}`).of(answerIn(reply))
  if (breaks === VALID) {
    answer.is(true)
    return
  }
  answer.matches(...NOT_VALID)
  checkFailures(context, sends, reply)
}

const DOTTED = /^[^\s.]+(\.[^\s.]+)+$/

/** Each failure of invalid evidence has a dotted type and a sentence. */
function checkFailures({ check, observe }: Context, sends: string, reply: Reply): void {
  if (isRefusal(reply)) {
    observe('FAILTYPE', sends, 'refused without failures')
    return
  }
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

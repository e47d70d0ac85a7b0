import { at, isRefusal, listOf, type Reply, results } from '../attempt/reply.ts'
import type { Context } from '../scenario.ts'

const GIVEN = 'VER-EVIDENCE-FAILURES-GIVEN'
const SHAPE = 'VER-EVIDENCE-FAILURE-SHAPE'
const MESSAGE = 'VER-EVIDENCE-FAILURE-MESSAGE'

/** Requirements that {@link checkFailures} checks. */
export const FAILURE_ROWS = [GIVEN, SHAPE, MESSAGE] as const

const DOTTED = /^[^\s.]+(\.[^\s.]+)+$/

/** Checks that the answer to invalid evidence gives failures, each with a dotted type and a sentence. */
export function checkFailures({ check, observe }: Context, sends: string, reply: Reply): void {
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

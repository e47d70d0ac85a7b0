import { SHIPPED_PARTS } from '../../../compose/parts.ts'
import { main } from '../../../main.ts'

/**
 * `node bin/dev.js reference/dev/testing/verifier/held-verifier.ts verifier …`: the reference with evaluations that begin and
 * never end, so that it can be killed between evidence and verdict. It treats every client without a token as an
 * administrator.
 */
const evaluator: typeof SHIPPED_PARTS.evaluator = (settings) => {
  const never = () => new Promise<never>(() => undefined)
  return {
    ...SHIPPED_PARTS.evaluator(settings),
    evaluateStored: never,
  }
}
process.exitCode = await main(process.argv.slice(2), {
  ...SHIPPED_PARTS,
  administratorOf: () => 'client',
  evaluator,
})

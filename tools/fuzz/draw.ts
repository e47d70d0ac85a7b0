import { seededRandom } from '../../conformance/attempt/random.ts'
import { oneOf } from './mutate-bytes.ts'
import type { Mutation, Recipe, Step } from './stages.ts'

/** Of so many runs one is honest, so that a deployment that refuses everything is seen to. */
const HONEST_EACH = 20

/** The recipe of one run: mostly one mutation, at times two or three; it follows from seed, route and number alone. */
export function drawRecipe(
  seed: string,
  route: string,
  run: number,
  all: readonly Mutation[],
): Recipe {
  if (run % HONEST_EACH === 0) return []
  const random = seededRandom(seed, `${route} ${run}`)
  const dice = random.below(10)
  const count = dice < 7 ? 1 : dice < 9 ? 2 : 3
  const steps = Array.from({ length: count }, (): Step => {
    const { id } = oneOf(all, random)
    return { mutation: id, draw: Buffer.from(random.bytes(4)).toString('hex') }
  })
  return steps.filter(
    (one, at) => steps.findIndex((other) => subjectOf(other) === subjectOf(one)) === at,
  )
}

/** What is mutated: two steps of the same thing may undo each other. */
function subjectOf({ mutation }: Step): string {
  return mutation.slice(0, mutation.indexOf('.'))
}

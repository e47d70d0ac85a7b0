import { makeRandom } from './random.ts'
import type { Input, Target } from './target.ts'

/** Runs that made an input, each one mutating what the run before it made; the first one mutates an initial input. */
export type Lineage = readonly number[]

/** An input that a later run may go on from. */
export interface Sample {
  readonly input: Input
  readonly lineage: Lineage
}

/** Longest lineage; what is older is a mess of mutations that all but never does anything new. */
const MAX_LINEAGE = 24

/** Runs of one seed: which input each of them makes. */
export interface Derivation {
  readonly target: Target
  readonly seed: number
  /** honest inputs and the committed corpus, the same at every run */
  readonly initial: readonly Input[]
}

/** The input of a run; half of the runs go on from what earlier ones have `found`. */
export function derive(derivation: Derivation, found: readonly Sample[], run: number): Sample {
  const random = makeRandom(derivation.seed, run)
  const goesOn = random.once(2)
  const draw = random.below(0x7fffffff)
  const parent = goesOn ? found[draw % Math.max(found.length, 1)] : undefined
  if (parent && parent.lineage.length < MAX_LINEAGE)
    return { input: step(derivation, parent.input, random), lineage: [...parent.lineage, run] }
  const first = initialAt(derivation, draw)
  return { input: step(derivation, first, random), lineage: [run] }
}

/** The input at the end of a lineage, without the runs in between. */
export function rederive(derivation: Derivation, lineage: Lineage): Input {
  return (
    lineage.reduce<Input | undefined>((input, run) => {
      const random = makeRandom(derivation.seed, run)
      random.once(2)
      const draw = random.below(0x7fffffff)
      return step(derivation, input ?? initialAt(derivation, draw), random)
    }, undefined) ?? initialAt(derivation, 0)
  )
}

function initialAt({ initial }: Derivation, draw: number): Input {
  const input = initial[draw % initial.length]
  if (!input) throw new RangeError('a target needs at least one honest input')
  return input
}

function step(
  { target, initial }: Derivation,
  input: Input,
  random: ReturnType<typeof makeRandom>,
): Input {
  const other = random.pick(initial)
  return target.mutate(input, other, random)
}

import type { Counts } from './counts.ts'
import { Disagreement } from './disagreement.ts'
import type { InteropEnvironment } from './environment.ts'
import type { InteropTest } from './interop-test.ts'

/** Outcome of an interop test. */
export type Outcome =
  /** All results were as expected. */
  | { readonly kind: 'agree'; readonly details: string | Counts }
  | { readonly kind: 'differ'; readonly disagreement: Disagreement }
  /** The test could not run; there is no verdict. */
  | { readonly kind: 'fault'; readonly reason: string }

export interface TestResult {
  readonly interopTest: InteropTest
  readonly outcome: Outcome
  readonly ms: number
}

async function outcomeOf(
  interopTest: InteropTest,
  environment: InteropEnvironment,
): Promise<Outcome> {
  try {
    return { kind: 'agree', details: await interopTest.run(environment) }
  } catch (error) {
    if (error instanceof Disagreement) return { kind: 'differ', disagreement: error }
    return { kind: 'fault', reason: error instanceof Error ? error.message : String(error) }
  }
}

interface Listeners {
  /** Called with tests that start at once, and the position of the first. */
  readonly onStart: (started: readonly InteropTest[], at: number) => void
  readonly onResult: (result: TestResult) => void
}

/** Runs the tests one after the other, because they share servers, except those that say that they run beside others. */
export async function runTests(
  interopTests: readonly InteropTest[],
  environment: InteropEnvironment,
  { onStart, onResult }: Listeners,
): Promise<readonly TestResult[]> {
  const all: TestResult[] = []
  const runOne = async (interopTest: InteropTest): Promise<TestResult> => {
    const began = performance.now()
    const outcome = await outcomeOf(interopTest, environment)
    const result = { interopTest, outcome, ms: performance.now() - began }
    onResult(result)
    return result
  }
  for (const started of besideEachOther(interopTests)) {
    onStart(started, all.length)
    all.push(...(await Promise.all(started.map(runOne))))
  }
  return all
}

function besideEachOther(
  interopTests: readonly InteropTest[],
): readonly (readonly InteropTest[])[] {
  const groups: InteropTest[][] = []
  for (const interopTest of interopTests) {
    const last = groups.at(-1)
    if (interopTest.beside && last?.at(-1)?.beside) last.push(interopTest)
    else groups.push([interopTest])
  }
  return groups
}

import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take minutes, the longest first: one of them begun last would leave the other worker idle. */
export const LONGEST = [
  'conformance/selftest/mutants.test.ts',
  'conformance/vitest/scenarios.test.ts',
  'conformance/selftest/dialects.gate.test.ts',
  'conformance/selftest/explore.gate.test.ts',
  'conformance/selftest/fuzz.gate.test.ts',
  'conformance/selftest/lifecycle.test.ts',
  'conformance/selftest/lifetimes.gate.test.ts',
  'reference/polling-verifiers.gate.test.ts',
  'reference/bench/fleet/fleet.gate.test.ts',
  'conformance/playground/up.test.ts',
]

/** Begins with what takes longest; the rest in the order of vitest. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = LONGEST.findIndex((file) => moduleId.endsWith(`/${file}`))
      return at < 0 ? LONGEST.length : at
    }
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other))
  }
}

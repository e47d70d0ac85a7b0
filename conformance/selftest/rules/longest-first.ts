import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take minutes, the longest first: if one of them started last, the other worker would be idle. */
export const LONGEST = [
  'conformance/selftest/mutants/mutants.test.ts',
  'conformance/vitest/scenarios.test.ts',
  'conformance/selftest/dialects.gate.test.ts',
  'conformance/selftest/documents/shown-commands.gate.test.ts',
  'conformance/selftest/command-line/bad-inputs.gate.test.ts',
  'conformance/selftest/hostile-subjects.gate.test.ts',
  'tools/explore/selftest/explore.gate.test.ts',
  'tools/fuzz/selftest/fuzz.gate.test.ts',
  'tools/fuzz/selftest/local-mutants.gate.test.ts',
  'conformance/selftest/lifecycle.test.ts',
  'conformance/selftest/lifetimes.gate.test.ts',
  'reference/compose/tests/polling-verifiers.gate.test.ts',
  'reference/dev/bench/fleet/fleet.gate.test.ts',
  'conformance/selftest/package.gate.test.ts',
  'conformance/selftest/mutated-replies.gate.test.ts',
  'tools/fuzz/selftest/fuzz-reference.gate.test.ts',
  'tools/playground/up.test.ts',
]

/** Starts the longest files first; the rest in the order of vitest. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = LONGEST.findIndex((file) => moduleId.endsWith(`/${file}`))
      return at < 0 ? LONGEST.length : at
    }
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other))
  }
}

import { defineConfig } from 'vitest/config'
import { LongestFirst } from './conformance/selftest/rules/longest-first.ts'
import { skippedReporter } from './conformance/selftest/rules/skipped-reporter.ts'

/** Whether this is the full gate, `npm run test:all`, or `npm test`, which leaves the long tests out. */
const isGate = process.env.ASSAY_TESTS === 'all'

export default defineConfig({
  test: {
    include: ['{reference,simulator,conformance,scenarios,tools,bin}/**/*.test.ts'],
    exclude: isGate ? [] : ['**/*.gate.test.ts'],
    pool: 'threads',
    isolate: false,
    maxWorkers: 3,
    maxConcurrency: 10,
    sequence: { sequencer: LongestFirst },
    // These end what hangs, and judge no speed: a busy machine may be many times as slow.
    testTimeout: 600_000,
    expect: { poll: { timeout: 120_000, interval: 20 } },
    hookTimeout: 600_000,
    teardownTimeout: 60_000,
    globalSetup: [
      'conformance/vitest/end-with-tests.ts',
      'conformance/selftest/mutants/build-first.ts',
    ],
    setupFiles: ['conformance/vitest/no-assertion-steps.ts', 'allure-vitest/setup'],
    reporters: [
      'default',
      ['allure-vitest/reporter', { resultsDir: 'reports/out/allure-results' }],
      skippedReporter(),
    ],
  },
})

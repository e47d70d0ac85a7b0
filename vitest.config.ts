import { defineConfig } from 'vitest/config'
import { LongestFirst } from './conformance/selftest/longest-first.ts'
import { skippedReporter } from './conformance/selftest/skipped-reporter.ts'

export default defineConfig({
  test: {
    include: ['{reference,simulator,conformance,bin}/**/*.test.ts'],
    pool: 'threads',
    isolate: false,
    maxWorkers: 2,
    maxConcurrency: 3,
    sequence: { sequencer: LongestFirst },
    testTimeout: 20_000,
    hookTimeout: 60_000,
    teardownTimeout: 60_000,
    setupFiles: ['allure-vitest/setup'],
    reporters: [
      'default',
      ['allure-vitest/reporter', { resultsDir: 'reports/out/allure-results' }],
      skippedReporter(),
    ],
  },
})

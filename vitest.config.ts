import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{reference,simulator,conformance,bin}/**/*.test.ts'],
    pool: 'threads',
    isolate: false,
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
})

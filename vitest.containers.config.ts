import { defineConfig } from 'vitest/config'

/** Tests that start containers, for who has an engine; no part of `npm test`. */
export default defineConfig({
  test: {
    include: ['reference/**/*.containers.ts'],
    pool: 'threads',
    isolate: false,
    testTimeout: 20_000,
    hookTimeout: 180_000,
  },
})

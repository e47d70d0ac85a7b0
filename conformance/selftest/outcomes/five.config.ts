import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { include: ['five.vitest.ts'], pool: 'threads', isolate: false },
})

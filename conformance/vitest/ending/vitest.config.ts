import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

const here = import.meta.dirname

/** One test that never ends, for end-with-tests.test.ts. */
export default defineConfig({
  test: {
    dir: here,
    include: ['**/endless.ts'],
    pool: 'threads',
    globalSetup: [join(here, '..', 'end-with-tests.ts')],
    disableConsoleIntercept: true,
  },
})

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { developmentProgram } from '../../testing/development-program.ts'

const MAIN = developmentProgram('reference/dev/bench/fleet/main.ts')

test('twenty push and twenty pull agents miss no interval in half a minute, and everything ends', {
  timeout: 400_000,
  // A machine that does much else may be the one that misses.
  retry: 1,
}, async () => {
  const words = ['--push', '20', '--pull', '20', '--seconds', '30', '--interval', '5']
  const run = promisify(execFile)(process.execPath, [...MAIN, ...words])
  const { stdout, stderr } = await run
  expect(stderr).toBe('')
  expect(stdout).toContain('40 of 40 agents pass')
  expect(stdout).toContain('no interval was missed, and everything ended')
})

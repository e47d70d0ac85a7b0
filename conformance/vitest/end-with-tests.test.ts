import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { packageRoot } from '../input/package-root.ts'
import { hasEnvironment, listProcesses } from '../target/processes/process-table.ts'
import { isRunning } from '../target/testing/test-support.ts'

const CONFIG = join(packageRoot(), 'conformance', 'vitest', 'ending', 'vitest.config.ts')
const VITEST = join(packageRoot(), 'node_modules', 'vitest', 'vitest.mjs')

/** Vitest with a test that never ends and starts two servers, the second after the first has ended. */
async function endlessTest() {
  const words = [VITEST, 'run', '--config', CONFIG]
  const vitest = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => void vitest.kill('SIGKILL'))
  let output = ''
  vitest.stdout.on('data', (chunk) => {
    output += chunk
  })
  const started = () => /started (\d+) in (\S+)/.exec(output)
  await expect.poll(started).not.toBe(null)
  const [, pid, directory = ''] = started() ?? []
  return { vitest, server: Number(pid), directory }
}

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)(
  'a second %s ends vitest with %i, and every process that the tests started',
  async (signal, code) => {
    const { vitest, server, directory } = await endlessTest()
    expect([isRunning(server), existsSync(directory)]).toEqual([true, true])
    const ended = new Promise((resolve) => vitest.once('exit', (...ending) => resolve(ending)))
    vitest.kill(signal)
    vitest.kill(signal)
    expect(await ended).toEqual([code, null])
    const mark = dirname(directory)
    expect(listProcesses().filter(({ pid }) => hasEnvironment(pid, 'TMPDIR', mark))).toEqual([])
    expect([mark, `${mark}-over`].filter((path) => existsSync(path))).toEqual([])
  },
)

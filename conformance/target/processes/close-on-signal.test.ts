import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { isRunning, startNode, temporaryDirectory, writeProgram } from '../testing/test-support.ts'

const here = (name: string) => JSON.stringify(fileURLToPath(new URL(name, import.meta.url)))

const START = [
  'console.error = () => undefined',
  "import { spawn } from 'node:child_process'",
  `import { closeOnSignal } from ${here('./close-on-signal.ts')}`,
  `import { createRunDirectory } from ${here('./run-directory.ts')}`,
  'const run = createRunDirectory(process.argv[2])',
  "const child = spawn('sleep', ['60'], { stdio: 'ignore', detached: true })",
  "run.record(child.pid, 'idler', { group: true })",
]

async function startRunner(...more: readonly string[]) {
  const out = temporaryDirectory()
  const script = writeProgram(out, 'runner.mjs', [...START, ...more])
  const { child, output } = await startNode([script, out])
  return { runner: child, idler: Number(output) }
}

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'a runner that gets %s closes its run and exits with 2',
  async (signal) => {
    const { runner, idler } = await startRunner(
      'closeOnSignal(() => run.close())',
      'console.log(child.pid)',
    )
    runner.kill(signal)
    expect(await once(runner, 'exit')).toEqual([2, null])
    await expect.poll(() => isRunning(idler)).toBe(false)
  },
)

test('a second signal does not close the run again', async () => {
  const { runner } = await startRunner(
    'const slowly = () => new Promise((go) => setTimeout(go, 200)).then(() => run.close())',
    "closeOnSignal(() => (console.log('closing'), slowly()))",
    'console.log(child.pid)',
  )
  let output = ''
  runner.stdout?.on('data', (chunk) => {
    output += chunk
  })
  runner.kill('SIGINT')
  runner.kill('SIGTERM')
  expect(await once(runner, 'close')).toEqual([2, null])
  expect(output).toBe('closing\n')
})

test('a runner that exits without closing its run ends its processes', async () => {
  const { runner, idler } = await startRunner(
    'console.log(child.pid)',
    'setTimeout(() => process.exit(1), 50)',
  )
  expect(await once(runner, 'exit')).toEqual([1, null])
  await expect.poll(() => isRunning(idler)).toBe(false)
})

test.each([
  ['', []],
  [', and removed', ["import { rmSync } from 'node:fs'", 'rmSync(run.path, { recursive: true })']],
])('a process recorded after its run was closed%s ends with the runner too', async (_, removed) => {
  const { runner, idler } = await startRunner(
    'await run.close()',
    "const late = spawn('sleep', ['60'], { stdio: 'ignore', detached: true })",
    "run.record(late.pid, 'latecomer', { group: true })",
    ...removed,
    'console.log(late.pid)',
    'setTimeout(() => process.exit(0), 50)',
  )
  expect(await once(runner, 'exit')).toEqual([0, null])
  await expect.poll(() => isRunning(idler)).toBe(false)
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readRunRecord } from '../processes/run-record.ts'
import type { TimedCommand } from '../target.ts'
import { type Bench, makeBench } from '../testing/test-deployment.ts'
import { isRunning, writeScript } from '../testing/test-support.ts'
import { startDeployment } from './deployment.ts'
import { runHook } from './hooks.ts'

const late = (word: string) => `\${${word}}`

function hook(bench: Bench, lines: readonly string[], words: readonly string[] = []): TimedCommand {
  const script = writeScript(bench.directory, 'hook.mjs', lines)
  return {
    command: [process.execPath, script, ...words],
    cwd: bench.directory,
    env: {},
    withinMs: 20_000,
  }
}

const SAY = ['console.log(process.argv.slice(2).join(" "), process.env.ASSAY_RUN)']

test('a hook that is absent says so', async () => {
  const { target, run } = await makeBench()
  expect(await runHook(target([]), run, 'restart', 'verifier')).toEqual({
    kind: 'absent',
    sentence: 'my.target.yaml has no hook restart for the verifier',
  })
})

test('a hook runs without a shell, with its words filled in, and its output is kept', async () => {
  const bench = await makeBench()
  const command = hook(bench, SAY, [late('seconds'), late('role'), '$HOME'])
  const target = bench.target([], { hooks: { general: { advance_clock: command }, roles: {} } })
  const done = await runHook(target, bench.run, 'advance_clock', undefined, { seconds: 90 })
  expect(done).toMatchObject({ kind: 'done', output: `90 all $HOME ${bench.run.path}\n` })
  const log = join(bench.run.path, 'logs', 'hook-advance_clock.out')
  expect(readFileSync(log, 'utf8')).toContain('90 all')
})

test('the output of a hook is that of this time, not of an earlier one', async () => {
  const bench = await makeBench()
  const tail_log = hook(bench, ['console.log(process.pid)'])
  const target = bench.target([], { hooks: { general: { tail_log }, roles: {} } })
  await runHook(target, bench.run, 'tail_log')
  expect(await runHook(target, bench.run, 'tail_log')).toMatchObject({
    output: expect.stringMatching(/^\d+\n$/),
  })
})

test("a role's own hook goes before the general one", async () => {
  const bench = await makeBench()
  const general = hook(bench, SAY, ['general'])
  const own = hook(bench, SAY, ['own', late('role')])
  const hooks = { general: { restart: general }, roles: { verifier: { restart: own } } }
  const target = bench.target([], { hooks })
  const outputs = [
    await runHook(target, bench.run, 'restart', 'verifier'),
    await runHook(target, bench.run, 'restart', 'registrar'),
  ]
  expect(outputs).toMatchObject([
    { output: expect.stringContaining('own verifier') },
    { output: expect.stringContaining('general') },
  ])
})

test('a hook that fails is a fault with its last words', async () => {
  const bench = await makeBench()
  const stop = hook(bench, ["console.error('no such unit')", 'process.exit(4)'])
  const target = bench.target([], { hooks: { general: { stop }, roles: {} } })
  await expect(runHook(target, bench.run, 'stop')).rejects.toMatchObject({
    code: 'D-HOOK-FAILED',
    sentence: 'hook stop exited with code 4: no such unit',
  })
})

test('a hook that does not end is ended, and is a fault', async () => {
  const bench = await makeBench()
  const forever = hook(bench, ['console.log(process.pid)', 'setInterval(() => undefined, 1000)'])
  const stop = { ...forever, withinMs: 500 }
  const target = bench.target([], { hooks: { general: { stop }, roles: {} } })
  await expect(runHook(target, bench.run, 'stop')).rejects.toMatchObject({
    code: 'D-HOOK-FAILED',
    sentence: 'hook stop did not end within 500 ms',
    next: expect.stringContaining('or raise hooks.stop.within in my.target.yaml'),
  })
  const pid = Number(readFileSync(join(bench.run.path, 'logs', 'hook-stop.out'), 'utf8'))
  expect(isRunning(pid)).toBe(false)
})

test('a hook whose program is not there is a fault', async () => {
  const bench = await makeBench()
  const stop = { ...hook(bench, []), command: ['no-such-hook'] }
  const target = bench.target([], { hooks: { general: { stop }, roles: {} } })
  await expect(runHook(target, bench.run, 'stop')).rejects.toMatchObject({
    code: 'D-HOOK-FAILED',
    sentence: 'the command of hook stop, "no-such-hook", was not found on PATH',
  })
})

test('what a hook leaves running ends with the run', async () => {
  const bench = await makeBench()
  const start = hook(bench, [
    "import { spawn } from 'node:child_process'",
    "const child = spawn('sleep', ['60'], { stdio: 'ignore' })",
    'console.log(child.pid)',
    'child.unref()',
  ])
  const target = bench.target([], { hooks: { general: { start }, roles: {} } })
  const done = await runHook(target, bench.run, 'start')
  const pid = Number(done.kind === 'done' ? done.output : 0)
  expect(isRunning(pid)).toBe(true)
  await bench.run.close()
  expect(isRunning(pid)).toBe(false)
  expect(readRunRecord(bench.run.path)?.processes).toEqual([])
})

test('the TPM manufacturer is made known before the first role starts', async () => {
  const bench = await makeBench()
  const role = await bench.served('verifier')
  const install = hook(bench, [
    "import { writeFileSync } from 'node:fs'",
    "writeFileSync('told', '')",
  ])
  const waits = ['sh', '-c', 'test -e told && exec "$@"', 'sh', ...role.start.command]
  const target = bench.target([{ ...role, start: bench.start(waits) }], {
    ekTrust: { kind: 'install', install },
  })
  const { steps } = await startDeployment(target, bench.run)
  expect(steps.map(({ what }) => what)).toEqual(['TPM manufacturer trusted', 'verifier started'])
})

test('a deployment that cannot be told the TPM manufacturer is not started', async () => {
  const bench = await makeBench()
  const role = await bench.served('verifier')
  const install = hook(bench, ['process.exit(1)'])
  const target = bench.target([role], { ekTrust: { kind: 'install', install } })
  await expect(startDeployment(target, bench.run)).rejects.toMatchObject({
    code: 'D-HOOK-FAILED',
    sentence: 'ek_trust.install exited with code 1: it wrote nothing',
  })
})

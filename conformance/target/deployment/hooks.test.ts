import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readRunRecord } from '../processes/run-record.ts'
import type { TimedCommand } from '../target.ts'
import { makeEnvironment, type RunEnvironment } from '../testing/test-deployment.ts'
import { isRunning, writeScript } from '../testing/test-support.ts'
import { startDeployment } from './deployment.ts'
import { runHook } from './hooks.ts'

const late = (word: string) => `\${${word}}`

function hook(
  environment: RunEnvironment,
  lines: readonly string[],
  words: readonly string[] = [],
): TimedCommand {
  const script = writeScript(environment.directory, 'hook.mjs', lines)
  return {
    command: [process.execPath, script, ...words],
    cwd: environment.directory,
    env: {},
    withinMs: 20_000,
  }
}

const SAY = ['console.log(process.argv.slice(2).join(" "), process.env.ASSAY_RUN)']

test('for an absent hook the result names it', async () => {
  const { target, run } = await makeEnvironment()
  expect(await runHook(target([]), run, 'restart', 'verifier')).toEqual({
    kind: 'absent',
    sentence: 'my.target.yaml has no hook restart for the verifier',
  })
})

test('a hook runs without a shell, with its placeholders filled in, and its output is kept', async () => {
  const environment = await makeEnvironment()
  const command = hook(environment, SAY, [late('seconds'), late('role'), '$HOME'])
  const target = environment.target([], {
    hooks: { general: { advance_clock: command }, roles: {} },
  })
  const done = await runHook(target, environment.run, 'advance_clock', undefined, { seconds: 90 })
  expect(done).toMatchObject({ kind: 'done', output: `90 all $HOME ${environment.run.path}\n` })
  const log = join(environment.run.path, 'logs', 'hook-advance_clock.out')
  expect(readFileSync(log, 'utf8')).toContain('90 all')
})

test('the output of a hook does not include that of earlier runs', async () => {
  const environment = await makeEnvironment()
  const tail_log = hook(environment, ['console.log(process.pid)'])
  const target = environment.target([], { hooks: { general: { tail_log }, roles: {} } })
  await runHook(target, environment.run, 'tail_log')
  expect(await runHook(target, environment.run, 'tail_log')).toMatchObject({
    output: expect.stringMatching(/^\d+\n$/),
  })
})

test('the hook of a role takes precedence over the general one', async () => {
  const environment = await makeEnvironment()
  const general = hook(environment, SAY, ['general'])
  const own = hook(environment, SAY, ['own', late('role')])
  const hooks = { general: { restart: general }, roles: { verifier: { restart: own } } }
  const target = environment.target([], { hooks })
  const outputs = [
    await runHook(target, environment.run, 'restart', 'verifier'),
    await runHook(target, environment.run, 'restart', 'registrar'),
  ]
  expect(outputs).toMatchObject([
    { output: expect.stringContaining('own verifier') },
    { output: expect.stringContaining('general') },
  ])
})

test('a failing hook is a fault, with its last output', async () => {
  const environment = await makeEnvironment()
  const stop = hook(environment, ["console.error('no such unit')", 'process.exit(4)'])
  const target = environment.target([], { hooks: { general: { stop }, roles: {} } })
  await expect(runHook(target, environment.run, 'stop')).rejects.toMatchObject({
    code: 'D-HOOK-FAILED',
    sentence: 'hook stop exited with code 4: no such unit',
  })
})

test('a hook that does not end in time is ended, and is a fault', async () => {
  const environment = await makeEnvironment()
  const forever = hook(environment, [
    'console.log(process.pid)',
    'setInterval(() => undefined, 1000)',
  ])
  const stop = { ...forever, withinMs: 500 }
  const target = environment.target([], { hooks: { general: { stop }, roles: {} } })
  await expect(runHook(target, environment.run, 'stop')).rejects.toMatchObject({
    code: 'D-HOOK-FAILED',
    sentence: 'hook stop did not end within 500 ms',
    next: expect.stringContaining('or raise hooks.stop.within in my.target.yaml'),
  })
  const pid = Number(readFileSync(join(environment.run.path, 'logs', 'hook-stop.out'), 'utf8'))
  expect(isRunning(pid)).toBe(false)
})

test('a hook with a missing program is a fault', async () => {
  const environment = await makeEnvironment()
  const stop = { ...hook(environment, []), command: ['no-such-hook'] }
  const target = environment.target([], { hooks: { general: { stop }, roles: {} } })
  await expect(runHook(target, environment.run, 'stop')).rejects.toMatchObject({
    code: 'D-HOOK-FAILED',
    sentence: 'the command of hook stop, "no-such-hook", was not found on PATH',
  })
})

test('a process that a hook leaves running ends with the run', async () => {
  const environment = await makeEnvironment()
  const start = hook(environment, [
    "import { spawn } from 'node:child_process'",
    "const child = spawn('sleep', ['60'], { stdio: 'ignore' })",
    'console.log(child.pid)',
    'child.unref()',
  ])
  const target = environment.target([], { hooks: { general: { start }, roles: {} } })
  const done = await runHook(target, environment.run, 'start')
  const pid = Number(done.kind === 'done' ? done.output : 0)
  expect(isRunning(pid)).toBe(true)
  await environment.run.close()
  expect(isRunning(pid)).toBe(false)
  expect(readRunRecord(environment.run.path)?.processes).toEqual([])
})

test('the CA of the TPM manufacturer is installed before the first role starts', async () => {
  const environment = await makeEnvironment()
  const role = await environment.served('verifier')
  const install = hook(environment, [
    "import { writeFileSync } from 'node:fs'",
    "writeFileSync('installed', '')",
  ])
  const waits = ['sh', '-c', 'test -e installed && exec "$@"', 'sh', ...role.start.command]
  const target = environment.target([{ ...role, start: environment.start(waits) }], {
    ekTrust: { kind: 'install', install },
  })
  const { steps } = await startDeployment(target, environment.run)
  expect(steps.map(({ what }) => what)).toEqual(['TPM manufacturer trusted', 'verifier started'])
})

test('a deployment is not started if the CA of the TPM manufacturer cannot be installed', async () => {
  const environment = await makeEnvironment()
  const role = await environment.served('verifier')
  const install = hook(environment, ['process.exit(1)'])
  const target = environment.target([role], { ekTrust: { kind: 'install', install } })
  await expect(startDeployment(target, environment.run)).rejects.toMatchObject({
    code: 'D-HOOK-FAILED',
    sentence: 'ek_trust.install exited with code 1: it wrote nothing',
  })
})

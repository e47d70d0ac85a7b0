import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  ends,
  isRunning,
  startIdler,
  startNode,
  temporaryDirectory,
  writeScript,
} from '../testing/test-support.ts'
import { createRunDirectory, type RunDirectory } from './run-directory.ts'
import { readRunRecord } from './run-record.ts'

const QUICK = { graceMs: 200, killMs: 2000 }

function newRun(out = temporaryDirectory()): RunDirectory {
  const run = createRunDirectory(out, { limits: QUICK })
  onTestFinished(() => run.close())
  return run
}

test('a run directory and its socket directory are private', () => {
  const run = newRun()
  expect(statSync(run.path).mode & 0o777).toBe(0o700)
  expect(statSync(run.sockets).mode & 0o777).toBe(0o700)
})

test('the socket directory is short enough for any socket name', () => {
  expect(newRun().sockets.length).toBeLessThan(40)
})

test('the record names the runner, the sockets and each process with its start time', () => {
  const run = newRun()
  const pid = startIdler()
  run.record(pid, 'swtpm of machine-1')
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')
  expect(readRunRecord(run.path)).toMatchObject({
    runner: { pid: process.pid },
    socket_directory: run.sockets,
    processes: [{ pid, group: false, what: 'swtpm of machine-1', start_time: stat[21] }],
  })
})

test('a record that cannot be written does not keep processes alive', async () => {
  const run = newRun()
  mkdirSync(join(run.path, '.processes.json'))
  const pid = startIdler()
  run.record(pid, 'idler')
  await run.close()
  expect(isRunning(pid)).toBe(false)
})

test('a run directory below a file is refused with one sentence, and leaves no sockets', () => {
  const file = join(temporaryDirectory(), 'file')
  writeFileSync(file, '')
  expect(() => newRun(join(file, 'out'))).toThrow(`cannot write to ${file}/out: not a directory`)
})

test('a forgotten process is neither recorded nor ended', async () => {
  const run = newRun()
  const pid = startIdler()
  run.record(pid, 'idler')
  run.forget(pid)
  await run.close()
  expect(readRunRecord(run.path)?.processes).toEqual([])
  expect(isRunning(pid)).toBe(true)
})

test('closing ends a recorded process and removes the socket directory', async () => {
  const run = newRun()
  const pid = startIdler()
  run.record(pid, 'idler')
  await run.close()
  expect(isRunning(pid)).toBe(false)
  expect(existsSync(run.sockets)).toBe(false)
  expect(readRunRecord(run.path)).toMatchObject({ processes: [], socket_directory: null })
})

test('closing kills a process that ignores SIGTERM', async () => {
  const run = newRun()
  const script = writeScript(temporaryDirectory(), 'stubborn.mjs', [
    "process.on('SIGTERM', () => undefined)",
    'setInterval(() => undefined, 1000)',
    "console.log('up')",
  ])
  const { pid } = await startNode([script])
  run.record(pid, 'stubborn')
  await run.close()
  expect(isRunning(pid)).toBe(false)
})

const PARENT = [
  "import { spawn } from 'node:child_process'",
  "const child = spawn('sleep', ['60'], { stdio: 'ignore', detached: process.argv[2] === 'detached' })",
  'console.log(child.pid)',
  "if (process.argv[3] === 'leave') process.exit(0)",
]

test('closing ends the whole group of a process recorded as its leader', async () => {
  const run = newRun()
  const script = writeScript(temporaryDirectory(), 'parent.mjs', PARENT)
  const { pid, output } = await startNode([script], { detached: true })
  run.record(pid, 'parent', { group: true })
  await run.close()
  expect(isRunning(pid)).toBe(false)
  expect(isRunning(Number(output))).toBe(false)
})

test('a group is ended after its leader has exited', async () => {
  const run = newRun()
  const script = writeScript(temporaryDirectory(), 'parent.mjs', PARENT)
  const env = { ...process.env, ...run.environment }
  const { pid, output } = await startNode([script, '', 'leave'], { detached: true, env })
  run.record(pid, 'parent', { group: true })
  await ends(pid)
  await run.end(pid)
  expect(isRunning(Number(output))).toBe(false)
})

test('closing ends a process that left its group and has the mark of the run', async () => {
  const run = newRun()
  const script = writeScript(temporaryDirectory(), 'parent.mjs', PARENT)
  const env = { ...process.env, ...run.environment }
  const { output } = await startNode([script, 'detached', 'leave'], { detached: true, env })
  await run.close()
  expect(isRunning(Number(output))).toBe(false)
})

test('closing does not end a process with the mark of another run', async () => {
  const [run, other] = [newRun(), newRun()]
  const pid = startIdler({ env: { ...process.env, ...other.environment } })
  await run.close()
  expect(isRunning(pid)).toBe(true)
})

test('one process can be ended before the others', async () => {
  const run = newRun()
  const [first, second] = [startIdler(), startIdler()]
  run.record(first, 'first')
  run.record(second, 'second')
  await run.end(first)
  expect([isRunning(first), isRunning(second)]).toEqual([false, true])
  expect(readRunRecord(run.path)?.processes.map(({ what }) => what)).toEqual(['second'])
})

test('the ten newest closed runs are kept, and every open run', async () => {
  const out = temporaryDirectory()
  const oldest = createRunDirectory(out, { now: new Date(0) })
  onTestFinished(() => oldest.close())
  for (let second = 1; second <= 11; second++) {
    await createRunDirectory(out, { now: new Date(second * 1000) }).close()
  }
  await createRunDirectory(out).close()
  const left = readdirSync(join(out, 'runs'))
  expect(left).toHaveLength(11)
  expect(left[0]).toContain('1970-01-01T00-00-00')
  expect(left[1]).toContain('1970-01-01T00-00-03')
})

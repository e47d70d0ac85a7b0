import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import {
  ends,
  isRunning,
  startIdler,
  startNode,
  temporaryDirectory,
  writeProgram,
} from '../testing/test-support.ts'
import { createRunDirectory, type RunDirectory } from './run-directory.ts'
import { type RunRecord, readRunRecord, writeRunRecord } from './run-record.ts'
import { sweepStaleRuns } from './sweep-stale-runs.ts'

const RUN_DIRECTORY = fileURLToPath(new URL('./run-directory.ts', import.meta.url))

/** A runner that starts a leader with a grandchild, a single process, and one that leaves its group. */
const RUNNER = [
  "import { spawn } from 'node:child_process'",
  `import { createRunDirectory } from ${JSON.stringify(RUN_DIRECTORY)}`,
  'const run = createRunDirectory(process.argv[2])',
  'const env = { ...process.env, ...run.environment }',
  "const options = { stdio: 'ignore', detached: true, env }",
  "const leader = spawn('sh', ['-c', 'sleep 60 & sleep 60; :'], options)",
  "run.record(leader.pid, 'verifier', { group: true })",
  "const single = spawn('sleep', ['60'], { ...options, detached: false })",
  "run.record(single.pid, 'swtpm')",
  "const fled = spawn('sleep', ['60'], options)",
  'console.log(JSON.stringify([run.path, run.sockets, leader.pid, single.pid, fled.pid]))',
  'setInterval(() => undefined, 1000)',
]

interface Killed {
  readonly out: string
  readonly path: string
  readonly sockets: string
  readonly pids: readonly number[]
}

async function killRunner(): Promise<Killed> {
  const out = temporaryDirectory()
  const script = writeProgram(out, 'runner.mjs', RUNNER)
  const runner = await startNode([script, out])
  const [path, sockets, ...pids] = JSON.parse(runner.output)
  runner.child.kill('SIGKILL')
  await ends(runner.pid)
  return { out, path, sockets, pids }
}

/** Rewrites a run of this process as if a runner that has ended had made it. */
function makeStale(run: RunDirectory, change: Partial<RunRecord> = {}): void {
  const record = readRunRecord(run.path)
  if (record === undefined) throw new Error('no record')
  const runner = { pid: record.runner.pid, start_time: '1' }
  writeRunRecord(run.path, { ...record, runner, ...change })
}

function newRun(out: string): RunDirectory {
  const run = createRunDirectory(out)
  onTestFinished(() => run.close())
  return run
}

test('a sweep ends every process of a killed runner, including grandchildren and processes outside the group', async () => {
  const { out, sockets, pids } = await killRunner()
  expect(pids.map(isRunning)).toEqual([true, true, true])
  const [line = '', ...more] = await sweepStaleRuns(out)
  expect(pids.map(isRunning)).toEqual([false, false, false])
  expect(existsSync(sockets)).toBe(false)
  expect(line).toMatch(
    /^ended the processes of a killed run \(pid \d+\): verifier \(pid \d+\), swtpm/,
  )
  expect(more).toEqual([])
})

test('a swept run directory keeps its files and is not swept again', async () => {
  const { out, path } = await killRunner()
  await sweepStaleRuns(out)
  expect(readRunRecord(path)).toMatchObject({ processes: [], socket_directory: null })
  expect(await sweepStaleRuns(out)).toEqual([])
})

test('a run whose runner is alive is left alone', async () => {
  const out = temporaryDirectory()
  const run = newRun(out)
  const pid = startIdler()
  run.record(pid, 'idler')
  expect(await sweepStaleRuns(out)).toEqual([])
  expect(isRunning(pid)).toBe(true)
})

test('a run is stale if another process has the pid of its runner', async () => {
  const out = temporaryDirectory()
  const run = newRun(out)
  const pid = startIdler()
  run.record(pid, 'idler')
  makeStale(run)
  expect(await sweepStaleRuns(out)).toEqual([
    `ended the processes of a killed run (pid ${process.pid}): idler (pid ${pid})`,
  ])
})

test('a process with the recorded pid and another start time is not ended', async () => {
  const out = temporaryDirectory()
  const run = newRun(out)
  const pid = startIdler()
  const otherProcess = { pid, group: false, what: 'swtpm', start_time: '1' }
  makeStale(run, { processes: [otherProcess] })
  expect(await sweepStaleRuns(out)).toEqual([])
  expect(isRunning(pid)).toBe(true)
})

test('a process recorded before a reboot is not ended', async () => {
  const out = temporaryDirectory()
  const run = newRun(out)
  const pid = startIdler()
  run.record(pid, 'idler')
  makeStale(run, { boot_id: 'another boot' })
  expect(await sweepStaleRuns(out)).toEqual([])
  expect(isRunning(pid)).toBe(true)
})

test('a socket directory that no run could have made is not deleted', async () => {
  const out = temporaryDirectory()
  const foreign = join(out, 'precious')
  mkdirSync(foreign)
  makeStale(newRun(out), { socket_directory: foreign })
  await sweepStaleRuns(out)
  expect(existsSync(foreign)).toBe(true)
})

test('other entries of the output directory are not touched', async () => {
  const out = temporaryDirectory()
  const other = join(out, 'runs', '2026-01-01T00-00-00-000Z-1')
  mkdirSync(other, { recursive: true })
  writeFileSync(join(other, 'processes.json'), '{"processes": "none"}')
  expect(await sweepStaleRuns(out)).toEqual([])
  expect(readFileSync(join(other, 'processes.json'), 'utf8')).toContain('none')
})

test('a sweep without runs does nothing', async () => {
  expect(await sweepStaleRuns(temporaryDirectory())).toEqual([])
})

import { expect, test } from 'vitest'
import { isRunning, startIdler, startNode } from '../testing/test-support.ts'
import { endProcesses, type OwnedProcess } from './end-processes.ts'
import { freePorts, portTrouble } from './free-port.ts'
import { readProcess } from './process-table.ts'

const LIMITS = { graceMs: 500, killMs: 500 }

function owned(pid: number, change: Partial<OwnedProcess> = {}): OwnedProcess {
  const start_time = readProcess(pid)?.startTime ?? ''
  return { pid, group: false, what: 'idler', start_time, ...change }
}

test('a process with the recorded start time is ended', async () => {
  const one = owned(startIdler())
  expect(await endProcesses([one], '/run', LIMITS)).toEqual({ ended: [one], left: [] })
  expect(isRunning(one.pid)).toBe(false)
})

test('the port of an ended process is free, whichever of its threads ended last', async () => {
  const env = { ...process.env, UV_THREADPOOL_SIZE: '64' }
  const busyThreads = (port: number) => `
    const { pbkdf2 } = require('node:crypto')
    require('node:net').createServer().listen(${port}, '127.0.0.1', () => {
      for (let thread = 0; thread < 64; thread++) pbkdf2('a', 'b', 100_000_000, 64, 'sha512', () => {})
      console.log('listening')
    })`
  const troubles: (string | undefined)[] = []
  for (const port of await freePorts(10)) {
    const { pid } = await startNode(['-e', busyThreads(port)], { env })
    await endProcesses([owned(pid)], '/run', LIMITS)
    troubles.push(await portTrouble(port, '127.0.0.1'))
  }
  expect(troubles).toEqual(Array(10).fill(undefined))
})

test('a process with the same pid and another start time is left alone', async () => {
  const one = owned(startIdler(), { start_time: '1' })
  expect(await endProcesses([one], '/run', LIMITS)).toEqual({ ended: [], left: [] })
  expect(isRunning(one.pid)).toBe(true)
})

test('a group whose leader has another start time is left alone', async () => {
  const one = owned(startIdler({ detached: true }), { start_time: '1', group: true })
  await endProcesses([one], '/run', LIMITS)
  expect(isRunning(one.pid)).toBe(true)
})

test('the group of the caller is never ended', async () => {
  const group = readProcess(process.pid)?.group ?? 0
  const one = owned(group, { group: true })
  expect(await endProcesses([one], '/run', LIMITS)).toEqual({ ended: [], left: [] })
})

test('a pid without a process is no error', async () => {
  const gone: OwnedProcess = { pid: 2 ** 22 + 1, group: true, what: 'gone', start_time: '1' }
  expect(await endProcesses([gone], '/run', LIMITS)).toEqual({ ended: [], left: [] })
})

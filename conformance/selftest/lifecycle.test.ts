import { existsSync, rmSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { freshOut, isAlive, readRecords, runAssay, startAssay } from './command.ts'

const out = freshOut()
const ONE = ['run', '--out', out, '--only', 'registrar.version.listed']
const MANY = ['run', '--out', out, '--only', 'push.*']

afterAll(() => rmSync(out, { recursive: true, force: true }))

function leftovers(): readonly string[] {
  return readRecords(out).flatMap(({ processes, socket_directory }) => [
    ...processes.filter(({ pid }) => isAlive(pid)).map(({ what }) => what),
    ...(socket_directory !== null && existsSync(socket_directory) ? [socket_directory] : []),
  ])
}

test('a run that conforms leaves no process and no socket behind', {
  timeout: 60_000,
}, async () => {
  const { code } = await runAssay(ONE)
  expect(code).toBe(0)
  expect(leftovers()).toEqual([])
})

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s ends a run with exit code 2 and leaves nothing',
  { timeout: 60_000 },
  async (signal) => {
    const running = startAssay(MANY)
    await running.says('PASS')
    running.child.kill(signal)
    const { code, stderr } = await running.ended
    expect(code).toBe(2)
    expect(stderr.trim()).toBe(`assay: ended by ${signal}`)
    expect(leftovers()).toEqual([])
  },
)

test('what a killed run left behind is ended by the next run', { timeout: 60_000 }, async () => {
  const killed = startAssay(MANY)
  await killed.says('PASS')
  killed.child.kill('SIGKILL')
  await killed.ended
  expect(leftovers()).not.toEqual([])
  const { code } = await runAssay(ONE)
  expect(code).toBe(0)
  expect(leftovers()).toEqual([])
})

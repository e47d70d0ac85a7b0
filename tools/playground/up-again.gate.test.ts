import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Running, startAssay } from '../../conformance/selftest/command.ts'
import { findMarked } from '../../conformance/target/processes/end-processes.ts'
import { KEPT_FILE, type KeptPlayground } from './kept-playground.ts'

function ownTemporary(): string {
  const directory = mkdtempSync(join(tmpdir(), 'again-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** Starts a process group, because Ctrl-C at a terminal signals all processes of the group. */
function startUp(temporary: string, keep: string, commands: readonly string[]): Running {
  const words = ['up', '--keep', keep, '--do', commands.join(';')]
  const up = startAssay(words, { env: { TMPDIR: temporary }, leads: true })
  onTestFinished(() => void (up.child.exitCode ?? up.child.kill('SIGKILL')))
  return up
}

const WAITING = 'wait fail m2 600s'

const keptIn = (directory: string): KeptPlayground =>
  JSON.parse(readFileSync(join(directory, KEPT_FILE), 'utf8'))

const idsIn = (text: string) => text.match(/(?<=agent, )[0-9a-f-]{36}/g)?.toSorted()

test('a kept playground continues with tampered files and reboots, and reports machines that lost power', async () => {
  const temporary = ownTemporary()
  const keep = join(temporary, 'state')

  const first = startUp(temporary, keep, [
    ...['wait pass m1', 'wait pass m2', 'tamper m1 /usr/bin/other', 'wait fail m1'],
    ...['reboot m2', 'wait pass m2', 'add push', 'wait pass m3', 'stop m3', 'cut m3', WAITING],
  ])
  await first.prints(`> ${WAITING}`)
  process.kill(-(first.child.pid ?? 0), 'SIGINT')
  const begun = await first.ended
  expect(begun, begun.stdout).toMatchObject({ code: 0, stderr: '' })
  expect(findMarked(keep)).toEqual([])
  const slept = keptIn(keep)
  expect(slept.machines.map(({ past }) => past.length)).toEqual([1, 1, 0])

  const second = startUp(temporary, keep, [
    ...['wait pass m2', 'wait fail m1 5s', 'table', 'reactivate m1', 'wait fail m1', 'extend m2'],
    ...['wait fail m2', 'reboot m2', 'reactivate m2', 'wait pass m2', WAITING],
  ])
  await second.prints(`> ${WAITING}`)
  process.kill(second.child.pid ?? 0, 'SIGKILL')
  const { stdout } = await second.ended
  expect(stdout).toContain(`continuing the playground in ${keep}: m1 pull, m2 push, m3 push;`)
  expect(idsIn(stdout)).toEqual(slept.machines.map(({ agent_id }) => agent_id).toSorted())
  expect(stdout).toMatch(
    /m3: .*its network stays cut .* mend m3; its agent stays stopped .* start m3/,
  )
  expect(stdout).toMatch(/│ m1 pull │ runs .*│ FAIL .*│ changed \/usr\/bin\/other/)
  expect(stdout).toMatch(/│ m3 push │ stopped │ cut /)
  // Measurement list and TPM continue: the unknown file is the only failure.
  expect(
    stdout.match(/m1: FAIL after .* ima\.validation\.ima-sig\.not_in_allowlist/g),
  ).toHaveLength(2)
  expect(stdout).not.toContain('booted again')
  // An agent that was stopped is not reactivated.
  expect(stdout.match(/reactivated, because/g)).toHaveLength(1)
  expect(keptIn(keep)).toMatchObject({ target: slept.target, ports: slept.ports })
  expect(keptIn(keep).machines[1]?.past).toEqual([['reboot'], ['extend', '7', '00'], ['reboot']])

  const third = startUp(temporary, keep, ['wait fail m1 5s', 'add pull', 'wait pass m4', 'table'])
  const after = await third.ended
  expect(after, after.stdout).toMatchObject({ code: 0, stderr: '' })
  expect(after.stdout).toMatch(/m2: .*; it lost power while it ran: it has booted again,/)
  expect(after.stdout).toMatch(/│ m4 pull │ runs/)
  expect(keptIn(keep).machines[1]?.past.filter(([verb]) => verb === 'reboot')).toHaveLength(3)
  expect(findMarked(keep)).toEqual([])
})

test('a directory with other contents is rejected in one sentence', async () => {
  const temporary = ownTemporary()
  writeFileSync(join(temporary, 'diary.txt'), 'mine')
  const { code, stderr } = await startUp(temporary, temporary, ['table']).ended
  expect(code).toBe(2)
  expect(stderr).toContain(`${temporary} is not empty and contains no playground`)
  expect(stderr).toContain('pass an empty or new directory with --keep')
})

import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../dev/testing/temporary-directory.ts'
import { runFile } from './run-file.ts'

/** Runs a line of a shell, and gives how it ended and where it ran. */
async function shell(line: string) {
  const cwd = temporaryDirectory()
  const { signal } = new AbortController()
  return { cwd, ended: await runFile('/bin/sh', ['-c', line], { cwd, signal }) }
}

test('a program ends with its exit code, or with the signal that ended it', async () => {
  expect(await shell('exit 3')).toMatchObject({ ended: 3 })
  expect(await shell('kill -TERM $$')).toMatchObject({ ended: 'SIGTERM' })
})

test('a program that prints megabytes runs to its end', async () => {
  const { cwd, ended } = await shell('head -c 3000000 /dev/zero && touch after')
  expect([ended, existsSync(join(cwd, 'after'))]).toEqual([0, true])
})

const UNTIL_TERM =
  'i=0; until test -e stopped || test $i -eq 100; do i=$((i+1)); sleep 0.1; done; touch over'

test('background processes of a program are not waited for', async () => {
  const { cwd, ended } = await shell(`(${UNTIL_TERM}) &`)
  const over = join(cwd, 'over')
  expect([ended, existsSync(over)]).toEqual([0, false])
  writeFileSync(join(cwd, 'stopped'), '')
  await expect.poll(() => existsSync(over), { timeout: 20_000 }).toBe(true)
})

test('a program that is not there ends in a word, and one that is to end does', async () => {
  const cwd = temporaryDirectory()
  const { signal } = new AbortController()
  expect(await runFile('./none', [], { cwd, signal })).toBe('ENOENT')
  expect(await runFile('sleep', ['60'], { cwd, signal: AbortSignal.abort() })).toBe('ABORT_ERR')
})

import { existsSync } from 'node:fs'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openLab } from '../testing/lab.ts'
import { INSTALL_SWTPM, startSwtpm } from './process.ts'

const lab = openLab()

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('a TPM that is stopped leaves no process and no directory', async () => {
  const directory = join(await lab.directory(), 'm')
  const tpm = await startSwtpm({ directory })
  expect([isAlive(tpm.pid), existsSync(tpm.controlPath)]).toEqual([true, true])
  await tpm.stop()
  expect([isAlive(tpm.pid), existsSync(directory)]).toEqual([false, false])
})

test('swtpm ends by itself when its data connection closes', async () => {
  const tpm = await startSwtpm({ directory: join(await lab.directory(), 'm') })
  tpm.data.destroy()
  await expect.poll(() => isAlive(tpm.pid)).toBe(false)
  await tpm.stop()
})

test('the process is announced with its id', async () => {
  const seen: unknown[] = []
  const directory = join(await lab.directory(), 'm')
  const onProcess = (...what: unknown[]) => seen.push(what)
  const tpm = await startSwtpm({ directory, onProcess })
  expect(seen).toEqual([[tpm.pid, 'swtpm']])
  await tpm.stop()
})

test('a missing swtpm is reported with the command to install it', async () => {
  const directory = join(await lab.directory(), 'm')
  const started = startSwtpm({ directory, binary: 'no-such-swtpm' })
  await expect(started).rejects.toMatchObject({
    code: 'missing',
    message: `swtpm is not installed: no-such-swtpm was not found; type: ${INSTALL_SWTPM}`,
  })
  expect(existsSync(directory)).toBe(false)
})

test('a program that ends at once is not waited for', async () => {
  const scratch = await lab.directory()
  const binary = join(scratch, 'ends')
  await writeFile(binary, '#!/bin/sh\nexit 3\n')
  await chmod(binary, 0o755)
  const started = startSwtpm({ directory: join(scratch, 'm'), binary })
  await expect(started).rejects.toMatchObject({ code: 'start', message: /ended at once with 3/ })
  expect(existsSync(join(scratch, 'm'))).toBe(false)
})

test('a directory that is too deep for a socket is refused before anything is created', async () => {
  const directory = join(await lab.directory(), 'd'.repeat(100))
  await expect(startSwtpm({ directory })).rejects.toMatchObject({ code: 'path-too-long' })
  expect(existsSync(directory)).toBe(false)
})

test('an existing directory is refused and left unchanged', async () => {
  const directory = join(await lab.directory(), 'm')
  await mkdir(directory)
  await expect(startSwtpm({ directory })).rejects.toMatchObject({ code: 'directory' })
  expect(existsSync(directory)).toBe(true)
})

import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeDirectory } from './make-directory.ts'

function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'make-directory-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

test('missing directories are made with their mode, and existing ones are taken', () => {
  const path = join(temporaryDirectory(), 'a', 'b', 'c')
  makeDirectory(path, 0o700)
  makeDirectory(path, 0o700)
  makeDirectory(join(path, '..', '..', 'd'))
  expect(statSync(path).mode & 0o777).toBe(0o700)
  expect(statSync(join(path, '../../d')).isDirectory()).toBe(true)
})

test('a link to a directory is taken, and one that leads nowhere is refused', () => {
  const directory = temporaryDirectory()
  symlinkSync(directory, join(directory, 'link'))
  symlinkSync('absent', join(directory, 'broken'))
  makeDirectory(join(directory, 'link', 'a'))
  expect(statSync(join(directory, 'a')).isDirectory()).toBe(true)
  for (const path of ['broken', 'broken/a'])
    expect(() => makeDirectory(join(directory, path))).toThrow(
      `cannot create ${join(directory, path)}: not a directory`,
    )
})

test.each(['file', 'file/a', 'file/a/b'])(
  'a directory %s, at or below a file, is refused',
  (path) => {
    const directory = temporaryDirectory()
    writeFileSync(join(directory, 'file'), '')
    expect(() => makeDirectory(join(directory, path))).toThrow(
      `cannot create ${join(directory, path)}: not a directory`,
    )
  },
)

test.runIf(process.platform === 'linux').each(['/proc/x', '/proc/x/y'])(
  '%s is refused, where the recursion of Node does not end',
  (path) => {
    expect(() => makeDirectory(path)).toThrow(`cannot create ${path}: no such file or directory`)
  },
)

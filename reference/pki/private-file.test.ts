import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDirectory } from '../dev/testing/open-directory.ts'
import { refuseReadable } from './private-file.ts'

/** A file in a directory of its own, each with its mode, below one that every user can enter. */
function fileOf(mode: number, directoryMode = 0o755) {
  const top = openDirectory()
  const directory = join(top, 'keys')
  const file = join(directory, 'server.pem')
  mkdirSync(directory)
  writeFileSync(file, 'secret')
  chmodSync(file, mode)
  chmodSync(directory, directoryMode)
  return { file, link: join(top, 'link.pem') }
}

test.each([0o644, 0o604, 0o602])('a file of mode %o is refused by name', (mode) => {
  const { file } = fileOf(mode)
  expect(() => refuseReadable(file)).toThrow(`every user of this machine can read or write ${file}`)
})

test.each([0o600, 0o640, 0o660, 0o601])('a file of mode %o is not', (mode) => {
  expect(() => refuseReadable(fileOf(mode).file)).not.toThrow()
})

test('nor is one in a directory that others cannot enter, and a link is what it points to', () => {
  const [inside, outside] = [fileOf(0o644, 0o750), fileOf(0o644)]
  for (const { file, link } of [inside, outside]) symlinkSync(file, link)
  expect(() => refuseReadable(inside.file)).not.toThrow()
  expect(() => refuseReadable(inside.link)).not.toThrow()
  expect(() => refuseReadable(outside.link)).toThrow(outside.link)
})

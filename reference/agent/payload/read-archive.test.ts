import { expect, test } from 'vitest'
import { type ZipEntry, zipOf } from '../../bytes/zip.ts'
import { entryChecks, RefusedArchive, readArchive } from './read-archive.ts'

const LIMITS = { size: 1000, entries: 10 }
const read = (entries: readonly ZipEntry[], limits = LIMITS) =>
  readArchive(zipOf(entries), entryChecks, limits)
const file = (name: string, more: Partial<ZipEntry> = {}) => [{ name, content: 'x', ...more }]

test('files are read with their paths, and directories come of themselves', async () => {
  const files = await read([
    { name: 'a/', content: '', mode: 0o040755 },
    { name: 'a/b.sh', content: 'one' },
    { name: 'c', content: 'two' },
  ])
  expect(files.map(({ path, content }) => [path, Buffer.from(content).toString()])).toEqual([
    ['a/b.sh', 'one'],
    ['c', 'two'],
  ])
})

test.each([
  ['goes up', file('../a')],
  ['goes up within', file('a/../../b')],
  ['begins at the root', file('/etc/a')],
  ['names a drive', file('c:/a')],
  ['has backslashes', file('..\\a')],
  ['has a newline', file('a\nb')],
  ['is a link', file('a', { mode: 0o120777, content: '/etc/passwd' })],
  ['is a device', file('a', { mode: 0o020666 })],
  ['is a pipe', file('a', { mode: 0o010666 })],
])('an archive with an entry that %s is not taken', async (_, entries) => {
  await expect(read([...file('good'), ...entries])).rejects.toThrow(RefusedArchive)
})

test('an entry that announces more than there is is not taken', async () => {
  const archive = Buffer.from(zipOf(file('a')))
  expect(await readArchive(archive, entryChecks, LIMITS)).toHaveLength(1)
  // Both sizes of the only entry, before its byte and in the directory behind it.
  for (const at of [18, 22, 32 + 20, 32 + 24]) archive.writeUInt32LE(500, at)
  await expect(readArchive(archive, entryChecks, LIMITS)).rejects.toThrow(RefusedArchive)
})

test('names are checked here too, and not only by the library', () => {
  const [path] = entryChecks
  expect(path?.holds({ fileName: 'a/../b', externalFileAttributes: 0 })).toBe(false)
  expect(path?.holds({ fileName: '/a', externalFileAttributes: 0 })).toBe(false)
  expect(path?.holds({ fileName: 'a..b/c', externalFileAttributes: 0 })).toBe(true)
})

test('an archive holds no more than it may', async () => {
  const two = [
    { name: 'a', content: 'x'.repeat(600) },
    { name: 'b', content: 'x'.repeat(400) },
  ]
  expect(await read(two)).toHaveLength(2)
  await expect(read(two, { ...LIMITS, size: 999 })).rejects.toThrow('more than 999 bytes')
  await expect(read(two, { ...LIMITS, entries: 1 })).rejects.toThrow('2 entries, 1 are taken')
})

test('a payload that is not a zip archive is refused', async () => {
  const bytes = new TextEncoder().encode('#!/bin/sh\necho no archive\n')
  await expect(readArchive(bytes, entryChecks, LIMITS)).rejects.toThrow('no zip archive')
})

import { appendFileSync, writeFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../dev/testing/temporary-directory.ts'
import { parseBinaryList } from '../../evidence/ima/list/parse-binary.ts'
import { hashes } from '../../tpm/algorithms.ts'
import { recorded } from '../../tpm/testing/recorded-boot.ts'
import { framesOf, type ImaLog, imaLog, textOf } from './ima-log.ts'

const line = (number: number, boot = 'a') => `10 ${boot} ima-ng sha256:${number} /file-${number}\n`
const lines = (from: number, to: number, boot?: string) =>
  Array.from({ length: to - from }, (_, at) => line(from + at, boot)).join('')

function listOf(content: string) {
  const file = join(temporaryDirectory(), 'list')
  writeFileSync(file, content)
  return { file, log: inText(imaLog(file)) }
}

/** As a test reads it. */
function inText(log: ImaLog) {
  return async (entry: number) => {
    const part = await log(entry)
    return part && { text: textOf(part), entry: part.entry }
  }
}

test('from the first line on it is the whole list', async () => {
  const { log } = listOf(lines(0, 3))
  expect(await log(0)).toEqual({ text: lines(0, 3), entry: 0 })
})

test('from another line on it is the rest', async () => {
  const { log } = listOf(lines(0, 5))
  expect(await log(2)).toEqual({ text: lines(2, 5), entry: 2 })
})

test('a request for the next line returns what was measured since', async () => {
  const { file, log } = listOf(lines(0, 3))
  await log(0)
  expect(await log(3)).toEqual({ text: '', entry: 3 })
  appendFileSync(file, lines(3, 5))
  expect(await log(3)).toEqual({ text: lines(3, 5), entry: 3 })
})

test('an asker that is behind gets what others have had already', async () => {
  const { log } = listOf(lines(0, 5))
  await log(0)
  expect(await log(1)).toEqual({ text: lines(1, 5), entry: 1 })
})

test('requests at once on a list that grows get the lines that they ask for', async () => {
  const { file, log } = listOf(lines(0, 5))
  await log(0)
  for (let from = 5; from < 905; from += 3) {
    appendFileSync(file, lines(from, from + 3))
    const first = log(from)
    // Each begins a few reads of the file behind the first one.
    const later = Array.from({ length: 6 }, async (_, reads) => {
      for (let at = 0; at < reads; at += 1) await stat(file)
      return log(from)
    })
    const parts = await Promise.all([first, ...later])
    const expected = { text: lines(from, from + 3), entry: from }
    expect(parts).toEqual(parts.map(() => expected))
  }
})

test('past the end it is the whole list, as after a reboot', async () => {
  const { log } = listOf(lines(0, 3))
  expect(await log(9)).toEqual({ text: lines(0, 3), entry: 0 })
})

test('the list of another boot is not mistaken for a continuation of the last one', async () => {
  const { file, log } = listOf(lines(0, 3))
  await log(0)
  writeFileSync(file, lines(0, 7, 'another'))
  expect(await log(3)).toEqual({ text: lines(3, 7, 'another'), entry: 3 })
})

test('a line that is not whole yet is left for later', async () => {
  const { file, log } = listOf(`${lines(0, 2)}10 half`)
  expect(await log(0)).toEqual({ text: lines(0, 2), entry: 0 })
  writeFileSync(file, lines(0, 3))
  expect(await log(2)).toEqual({ text: line(2), entry: 2 })
})

test('a machine without a list has none, and one that comes later is seen', async () => {
  const file = join(temporaryDirectory(), 'list')
  const log = inText(imaLog(file))
  expect(await log(0)).toBeUndefined()
  writeFileSync(file, lines(0, 1))
  expect(await log(0)).toEqual({ text: line(0), entry: 0 })
})

test('a name that is no UTF-8 is read as it is, and is no text', async () => {
  const { file } = listOf('')
  const bytes = Buffer.from([0x31, 0xff, 0x0a])
  writeFileSync(file, bytes)
  const part = await imaLog(file)(0)
  expect(part).toEqual({ lines: bytes, entry: 0 })
  expect(() => textOf({ lines: bytes })).toThrow(TypeError)
})

test('a binary list is given by its entries, and the last one once it is whole', async () => {
  const whole = recorded('binary_before_tools')
  const { skip, linesIn } = framesOf({ isBinary: true })
  const ends = [1, 2, 3].map((entries) => skip(whole, entries))
  const file = join(temporaryDirectory(), 'list')
  const log = imaLog(file)
  writeFileSync(file, whole.subarray(0, (ends[2] ?? 0) - 1))
  const binary = (from?: number, to?: number) => Buffer.from(whole.subarray(from, to))
  expect(await log(0)).toEqual({ lines: binary(0, ends[1]), entry: 0, isBinary: true })
  expect(await log(1)).toEqual({ lines: binary(ends[0], ends[1]), entry: 1, isBinary: true })
  expect(await log(2)).toEqual({ lines: binary(0, 0), entry: 2, isBinary: true })
  expect(await log(3)).toEqual({ lines: binary(0, ends[1]), entry: 0, isBinary: true })
  writeFileSync(file, whole)
  expect((await log(2))?.lines).toEqual(binary(ends[1]))
  expect(linesIn(whole)).toBe(parseBinaryList(whole, hashes.sha1).length)
  expect(skip(whole, 0)).toBe(0)
})

test('entries of the oldest template end where their names do', () => {
  const number = (value: number) => Buffer.from(Uint32Array.of(value).buffer)
  const oldest = (name: string) =>
    Buffer.concat([
      ...[number(10), Buffer.alloc(20, 1), number(3), Buffer.from('ima')],
      ...[Buffer.alloc(20, 2), number(name.length), Buffer.from(name)],
    ])
  const list = Buffer.concat([oldest('/bin/a'), oldest('/usr/bin/b')])
  const { skip, linesIn } = framesOf({ isBinary: true })
  expect([linesIn(list), skip(list, 1)]).toEqual([2, oldest('/bin/a').length])
  expect(parseBinaryList(list, hashes.sha1)).toHaveLength(2)
})

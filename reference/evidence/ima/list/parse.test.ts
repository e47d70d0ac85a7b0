import { expect, test, vi } from 'vitest'
import { concat, Writer } from '../../../bytes/writer.ts'
import { hashes } from '../../../tpm/algorithms.ts'
import { flipped, recorded } from '../../../tpm/testing/recorded-boot.ts'
import { hashMatches, type ImaEntry, type ImaItem, isViolation } from './entry.ts'
import { parseAsciiList } from './parse-ascii.ts'
import { parseBinaryList } from './parse-binary.ts'

const SHA1 = hashes.sha1
const ASCII = recorded('ascii_after_tools')
const BINARY = recorded('binary_after_tools')

function ascii(text: string | Uint8Array, hash = SHA1): readonly ImaItem[] {
  return parseAsciiList(typeof text === 'string' ? Buffer.from(text) : text, hash)
}

function binary(bytes: Uint8Array): readonly ImaItem[] {
  return parseBinaryList(bytes, SHA1)
}

function entriesOf(items: readonly ImaItem[]): readonly ImaEntry[] {
  return items.filter((item) => item.kind === 'entry')
}

function namesOf(items: readonly ImaItem[]): readonly string[] {
  return entriesOf(items).map(({ content }) => ('invalid' in content ? '' : content.name))
}

/** A line of the recorded list. */
function line(number: number): string {
  return `${Buffer.from(ASCII).toString('latin1').split('\n')[number]}\n`
}

test('the two forms of the recorded list hold the same entries', () => {
  const essence = (item: ImaItem) => (item.kind === 'entry' ? { ...item, lines: 1 } : item)
  expect(ascii(ASCII)).toHaveLength(58)
  expect(ascii(ASCII).map(essence)).toEqual(binary(BINARY).map(essence))
})

test('every template hash of the recorded list is right, or a violation', () => {
  const wrong = entriesOf(ascii(ASCII)).filter((each) => !hashMatches(each) && !isViolation(each))
  expect(wrong).toEqual([])
})

test('a name with a newline is one entry of two lines', () => {
  const item = ascii(ASCII).find(({ lines }) => lines === 2)
  expect(item && namesOf([item])).toEqual(['/mnt/data/new\nline.sh'])
})

test('names keep their tab, their backslash and their letters', () => {
  const names = namesOf(ascii(ASCII))
  for (const name of ['/mnt/data/tab\there', '/mnt/data/back\\slash', '/mnt/data/ünï-日本.sh'])
    expect(names).toContain(name)
})

test('a line that was injected by a file name is part of that name', () => {
  const injected = `/x\n${line(2).trimEnd()}`
  const entry = entryFor('sha256:'.concat('ab'.repeat(32)), injected)
  expect(namesOf(ascii(entry + line(3)))).toEqual([injected, '/mnt/run.sh'])
})

/** An ima-ng line whose template hash is right. */
function entryFor(digest: string, name: string): string {
  const items = ascii(`10 ${'11'.repeat(20)} ima-ng ${digest} ${name.replaceAll('\n', '?')}\n`)
  const [item] = entriesOf(items)
  const data = Buffer.from(item?.data ?? [])
  const at = data.length - name.length - 1
  const real = Buffer.concat([data.subarray(0, at), Buffer.from(`${name}\0`)])
  const [hashed] = parseBinaryList(frame(real), SHA1)
  const hash = hashed?.kind === 'entry' ? hashed.dataHash : ''
  return `10 ${hash} ima-ng ${digest} ${name}\n`
}

/** A binary ima-ng entry with this template data and a template hash that is not right. */
function frame(data: Uint8Array, template = 'ima-ng'): Uint8Array {
  const head = Buffer.alloc(4 + 20 + 4)
  head.writeUInt32LE(10, 0)
  head[4] = 1
  head.writeUInt32LE(template.length, 24)
  const length = Buffer.alloc(4)
  length.writeUInt32LE(data.length)
  return new Uint8Array(Buffer.concat([head, Buffer.from(template), length, data]))
}

test('an entry whose hash never fits is the single line, and the next ones are read', () => {
  const items = ascii(line(2).replace('busybox', 'busyboy') + line(3))
  expect(namesOf(items)).toEqual(['/mnt/bin/busyboy', '/mnt/run.sh'])
  expect(entriesOf(items).map(hashMatches)).toEqual([false, true])
})

test('empty lines between entries are no entries', () => {
  expect(namesOf(ascii(`\n${line(2)}\n\n${line(3)}`))).toHaveLength(2)
  expect(ascii('')).toEqual([])
})

test('a last line without newline is read like the others', () => {
  expect(namesOf(ascii(line(2).slice(0, -1)))).toEqual(['/mnt/bin/busybox'])
})

const HASH = '00'.repeat(19).concat('01')
const DIGEST = `sha256:${'ab'.repeat(32)}`

test.each([
  ['free text', 'hello world', 'expected PCR, template hash, template name and data'],
  ['a byte order mark', `\u{feff}10 ${HASH} ima-ng ${DIGEST} /x`, 'expected PCR'],
  ['PCR 010', `010 ${HASH} ima-ng ${DIGEST} /x`, 'expected PCR'],
  ['PCR 1e1', `1e1 ${HASH} ima-ng ${DIGEST} /x`, 'expected PCR'],
  ['PCR 10 + 2^32', `4294967306 ${HASH} ima-ng ${DIGEST} /x`, 'expected PCR'],
  ['two blanks', `10  ${HASH} ima-ng ${DIGEST} /x`, 'expected PCR'],
  ['a tab', `10\t${HASH} ima-ng ${DIGEST} /x`, 'expected PCR'],
  ['a template hash in upper case', `10 ${'AB'.repeat(20)} ima-ng ${DIGEST} /x`, 'expected PCR'],
  ['64 digits of hash', `10 ${'ab'.repeat(32)} ima-ng ${DIGEST} /x`, '64 digits, expected 40'],
  ['39 digits of hash', `10 ${HASH.slice(1)} ima-ng ${DIGEST} /x`, '39 digits, expected 40'],
  ['an unknown template', `10 ${HASH} ima-ngv3 ${DIGEST} /x`, 'template "ima-ngv3" is not known'],
  [
    'a template of another case',
    `10 ${HASH} IMA-NG ${DIGEST} /x`,
    'template "IMA-NG" is not known',
  ],
  ['a template called constructor', `10 ${HASH} constructor ${DIGEST} /x`, 'is not known'],
  ['three fields for four', `10 ${HASH} ima-sig ${DIGEST} /x`, 'expected 3 fields, got 2'],
  ['a signature with an odd digit', `10 ${HASH} ima-sig ${DIGEST} /x 030`, 'odd number'],
  ['a signature in upper case', `10 ${HASH} ima-sig ${DIGEST} /x 03AB`, 'expected lower-case'],
  [
    'a digest in upper case',
    `10 ${HASH} ima-ng sha256:${'AB'.repeat(32)} /x`,
    'expected lower-case',
  ],
  ['a buffer that is not hex', `10 ${HASH} ima-buf ${DIGEST} x zz`, 'not a hexadecimal digit'],
])('%s is reported as unreadable', (_, text, why) => {
  const [item] = ascii(`${text}\n`)
  expect(item).toMatchObject({ kind: 'unreadable', why: expect.stringContaining(why) })
})

test.each([
  ['no algorithm', `10 ${HASH} ima-ng ${'ab'.repeat(32)} /x`],
  ['an algorithm in upper case', `10 ${HASH} ima-ng SHA256:${'ab'.repeat(32)} /x`],
  ['two algorithms', `10 ${HASH} ima-ng sha1:${DIGEST} /x`],
  ['an empty algorithm', `10 ${HASH} ima-ng :${'ab'.repeat(32)} /x`],
  ['40 digits for sha256', `10 ${HASH} ima-ng sha256:${'ab'.repeat(20)} /x`],
  ['an empty digest', `10 ${HASH} ima-ng sha3-256: /x`],
  ['no type in ima-ngv2', `10 ${HASH} ima-ngv2 ${DIGEST} /x`],
])('a digest with %s can be replayed but has no content', (_, text) => {
  const [item] = ascii(`${text}\n`)
  expect(item).toMatchObject({ kind: 'entry', content: { invalid: /^digest at byte/ } })
})

test('an algorithm without a row is kept with its digest', () => {
  const [item] = ascii(`10 ${HASH} ima-ng wp512:${'ab'.repeat(64)} /x\n`)
  expect(item).toMatchObject({ content: { digest: { algorithm: 'wp512' }, name: '/x' } })
})

test('a name that is no UTF-8 is marked, so that no text is equal to it', () => {
  const bytes = Buffer.from(`10 ${HASH} ima-ng ${DIGEST} /\xff\n`, 'latin1')
  expect(ascii(bytes)[0]).toMatchObject({ content: { exactName: false } })
})

test('a name with the replacement character itself is equal to that text', () => {
  const content = { exactName: true, name: '/\u{fffd}' }
  expect(ascii(entryFor(DIGEST, '/\u{fffd}'))[0]).toMatchObject({ content })
})

test.each([
  [8, 1],
  [9, 2],
])('a name of %i lines is read as one entry up to 8', (lines, least) => {
  const items = ascii(entryFor(DIGEST, Array.from({ length: lines }, () => '/x').join('\n')))
  expect(Math.min(items.length, 2)).toBe(least)
})

test('a list with hundreds of wrong hashes is not searched for joined lines any more', () => {
  const wrong = `10 ${HASH} ima-ng ${DIGEST} /x\n`
  const joined = entryFor(DIGEST, '/a\nb')
  expect(ascii(wrong.repeat(255) + joined)).toHaveLength(256)
  expect(ascii(wrong.repeat(257) + joined)).toHaveLength(259)
})

test('the binary list is refused at every cut that is not between entries', () => {
  const ends = new Set<number>()
  for (let length = 0; length <= 700; length++)
    if (binary(BINARY.subarray(0, length)).every(({ kind }) => kind === 'entry')) ends.add(length)
  expect(ends.size).toBe(binary(BINARY.subarray(0, 700)).length)
})

test('truncation is reported with its offset', () => {
  const items = binary(BINARY.subarray(0, 100))
  expect(items.at(-1)).toMatchObject({
    kind: 'unreadable',
    why: expect.stringMatching(/^IMA\[\d\]\.data at byte \d+: needs \d+ byte\(s\), \d+ left$/),
  })
})

test.each([
  ['of no byte', 0],
  ['of 256 bytes', 256],
  ['of 4 GiB', 0xffffffff],
])('a template name %s is refused', (_, length) => {
  const bytes = Buffer.from(BINARY)
  bytes.writeUInt32LE(length, 24)
  expect(binary(bytes)).toMatchObject([
    {
      kind: 'unreadable',
      why: `IMA[0].templateName at byte 24: a template name of ${length} bytes, 1 to 255 allowed`,
    },
  ])
})

test('an entry of an unknown template keeps its data for the replay', () => {
  const [item] = binary(frame(Buffer.from('anything'), 'ima-ngv3'))
  expect(item).toMatchObject({ kind: 'entry', content: { invalid: 'the template is not known' } })
})

test('a name that continues after a zero byte makes the content invalid', () => {
  const digest = concat(Buffer.from('sha256:\0'), new Uint8Array(32))
  const [short, long] = ['/x\0', '/x\0y\0'].map((name) => {
    const data = lengthPrefixed(digest, Buffer.from(name))
    return binary(frame(data))[0]
  })
  expect(short).toMatchObject({ content: { name: '/x' } })
  expect(long).toMatchObject({ content: { invalid: expect.stringContaining('one zero byte') } })
})

function lengthPrefixed(...fields: readonly Uint8Array[]): Uint8Array {
  const writer = new Writer('little')
  for (const field of fields) {
    writer.u32(field.length)
    writer.put(field)
  }
  return writer.finish()
}

test('violations do not use up the search for joined lines', () => {
  const violation = `10 ${'00'.repeat(20)} ima-ng ${DIGEST} /x\n`
  expect(ascii(violation.repeat(300) + entryFor(DIGEST, '/a\nb'))).toHaveLength(301)
})

test('bytes behind the last field make the content invalid', () => {
  const [item] = binary(
    frame(
      Buffer.concat([Buffer.from(entriesOf(ascii(ASCII))[2]?.data ?? []), Buffer.of(0)]),
      'ima-sig',
    ),
  )
  expect(item).toMatchObject({
    content: { invalid: expect.stringContaining('1 byte(s) left over') },
  })
})

test.each([
  [19, 'unreadable'],
  [20, 'entry'],
  [21, 'unreadable'],
])('a digest of %i bytes in the oldest template is an %s', (length, kind) => {
  const [item] = ascii(`10 ${HASH} ima ${'ab'.repeat(length)} /bin/sh\n`)
  expect(item?.kind).toBe(kind)
})

test('the name of the oldest template is padded to 256 bytes before it is hashed', () => {
  const text = `10 ${HASH} ima ${'ab'.repeat(20)} /init\n`
  const [item] = entriesOf(ascii(text))
  expect(item?.data).toHaveLength(276)
  expect(item?.content).toMatchObject({ name: '/init', digest: { algorithm: 'sha1' } })
})

test.each([
  [255, 'entry'],
  [256, 'unreadable'],
])('a name of %i bytes in the oldest template is an %s', (length, kind) => {
  const name = 'x'.repeat(length)
  const [item] = ascii(`10 ${HASH} ima ${'ab'.repeat(20)} ${name}\n`)
  const head = new Writer('little')
  head.u32(10)
  head.put(Buffer.from(HASH, 'hex'))
  head.u32(3)
  head.put(Buffer.from('ima'))
  head.put(Buffer.from('ab'.repeat(20), 'hex'))
  head.u32(length)
  head.put(Buffer.from(name))
  const [same] = binary(head.finish())
  expect([item?.kind, same?.kind]).toEqual([kind, kind])
})

test('one bit of the template data makes the column wrong', () => {
  const [item] = entriesOf(binary(flipped(BINARY, 60)))
  expect(item && hashMatches(item)).toBe(false)
})

test.each([
  ['without blanks', 'a\n'],
  ['whose fields end too soon', `10 ${HASH} ima-ng x\n`],
  ['without colons', `10 ${HASH} ima-ng x /x\n`],
])('a list of lines %s is searched once, not once a line', (_, text) => {
  const list = Buffer.from(text.repeat(5000))
  const search = vi.spyOn(Buffer.prototype, 'indexOf')
  ascii(list)
  const ends = search.mock.results.map(({ value }) => (value < 0 ? list.length : value))
  const searched = search.mock.calls.map(([, from], at) => ends[at] - Number(from))
  search.mockRestore()
  expect(searched.length).toBeGreaterThanOrEqual(5000)
  expect(searched.reduce((sum, each) => sum + each, 0)).toBeLessThan(4 * list.length)
})

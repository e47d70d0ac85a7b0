import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { concat, Writer } from '../../../bytes/writer.ts'
import { hashes } from '../../../tpm/algorithms.ts'
import type { ImaItem } from './entry.ts'
import { parseAsciiList } from './parse-ascii.ts'
import { parseBinaryList } from './parse-binary.ts'

const HEX = 'ab'.repeat(32)
const DIGEST = concat(Buffer.from('sha256:\0'), Buffer.from(HEX, 'hex'))
const TYPED = concat(Buffer.from('ima:sha256:\0'), Buffer.from(HEX, 'hex'))
const NAME = Buffer.from('/bin/a b\0')
const NONE = new Uint8Array()

/** Template, its text in the list, its fields in the data. */
const KNOWN: readonly (readonly [string, string, readonly Uint8Array[]])[] = [
  ['ima-ng', `sha256:${HEX} /bin/a b`, [DIGEST, NAME]],
  ['ima-ngv2', `ima:sha256:${HEX} /bin/a b`, [TYPED, NAME]],
  ['ima-sig', `sha256:${HEX} /bin/a b 0302`, [DIGEST, NAME, Uint8Array.of(3, 2)]],
  ['ima-sig', `sha256:${HEX} /bin/a b `, [DIGEST, NAME, NONE]],
  ['ima-sigv2', `ima:sha256:${HEX} /bin/a b `, [TYPED, NAME, NONE]],
  ['ima-buf', `sha256:${HEX} /bin/a b 00ff`, [DIGEST, NAME, Uint8Array.of(0, 255)]],
  ['ima-modsig', `sha256:${HEX} /bin/a b   `, [DIGEST, NAME, NONE, NONE, NONE]],
  [
    'ima-modsig',
    `sha256:${HEX} /bin/a b 03 sha256:${HEX} 3082`,
    [DIGEST, NAME, Uint8Array.of(3), DIGEST, Uint8Array.of(0x30, 0x82)],
  ],
  [
    'evm-sig',
    `sha256:${HEX} /bin/a b       `,
    [DIGEST, NAME, NONE, NONE, NONE, NONE, NONE, NONE, NONE],
  ],
  [
    'evm-sig',
    `sha256:${HEX} /bin/a b 05 security.ima|security.evm 2100 ff 1000 0 33188`,
    [
      DIGEST,
      NAME,
      Uint8Array.of(5),
      Buffer.from('security.ima|security.evm\0'),
      Uint8Array.of(0x21, 0),
      Uint8Array.of(0xff),
      Uint8Array.of(0xe8, 3, 0, 0),
      Uint8Array.of(0, 0, 0, 0),
      Uint8Array.of(0xa4, 0x81),
    ],
  ],
  ['d-ng|n-ng|sig', `sha256:${HEX} /bin/a b 03`, [DIGEST, NAME, Uint8Array.of(3)]],
  ['n-ng|d-ng', `/bin/a b sha256:${HEX}`, [NAME, DIGEST]],
  ['d|n', `${'cd'.repeat(20)} /bin/a b`, [new Uint8Array(20).fill(0xcd), NAME]],
]

function dataOf(fields: readonly Uint8Array[]): Uint8Array {
  const writer = new Writer('little')
  for (const field of fields) {
    writer.u32(field.length)
    writer.put(field)
  }
  return writer.finish()
}

function binaryEntry(template: string, data: Uint8Array): Uint8Array {
  const writer = new Writer('little')
  writer.u32(10)
  writer.put(hash('sha1', data, 'buffer'))
  writer.u32(template.length)
  writer.put(Buffer.from(template))
  writer.u32(data.length)
  writer.put(data)
  return writer.finish()
}

function ascii(template: string, text: string, data: Uint8Array): readonly ImaItem[] {
  const line = `10 ${hash('sha1', data, 'hex')} ${template} ${text}\n`
  return parseAsciiList(Buffer.from(line), hashes.sha1)
}

test.each(KNOWN)(
  '%s: `%s` is the same entry in both forms of the list',
  (template, text, fields) => {
    const data = dataOf(fields)
    const [binary] = parseBinaryList(binaryEntry(template, data), hashes.sha1)
    expect(ascii(template, text, data)).toEqual([binary])
    expect(binary).toMatchObject({ template, content: { name: '/bin/a b' } })
    expect(binary).toMatchObject({ data, dataHash: hash('sha1', data, 'hex') })
  },
)

test.each([
  ['an unknown field', 'd-ng|n-ng|secret'],
  ['no name', 'd-ng|sig'],
  ['no digest', 'n-ng|sig'],
  ['two names', 'd-ng|n-ng|n-ng'],
  ['two digests', 'd-ng|d|n-ng'],
  ['sixteen fields', `d-ng|n-ng${'|sig'.repeat(14)}`],
  ['an empty field', 'd-ng||n-ng'],
])('a format with %s is no template', (_, format) => {
  const [item] = ascii(format, `sha256:${HEX} /x`, NONE)
  expect(item).toMatchObject({ kind: 'unreadable', why: expect.stringContaining('is not known') })
})

test('fifteen fields are as many as a kernel has', () => {
  const format = `d-ng|n-ng${'|sig'.repeat(13)}`
  const data = dataOf([DIGEST, NAME, ...Array.from({ length: 13 }, () => NONE)])
  const [item] = ascii(format, `sha256:${HEX} /bin/a b${' '.repeat(13)}`, data)
  expect(item).toMatchObject({ kind: 'entry', content: { name: '/bin/a b' } })
})

test.each([
  ['above four bytes', '4294967296', 'iuid'],
  ['with a leading zero', '01', 'iuid'],
  ['with a sign', '-1', 'iuid'],
])('a user id %s is reported', (_, uid, field) => {
  const text = `sha256:${HEX} /x     ${uid} 0 0`
  const [item] = ascii('evm-sig', text, NONE)
  expect(item).toMatchObject({ kind: 'unreadable', why: expect.stringMatching(`^${field} at`) })
})

test('the type of a digest is part of the content', () => {
  const verity = concat(Buffer.from('verity:sha256:\0'), Buffer.from(HEX, 'hex'))
  const [item] = parseBinaryList(binaryEntry('ima-ngv2', dataOf([verity, NAME])), hashes.sha1)
  expect(item).toMatchObject({ content: { digestType: 'verity', digest: { hex: HEX } } })
})

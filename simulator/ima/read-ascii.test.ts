import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cat, filled, text } from '../tpm/write.ts'
import { fixture, neighbouringBoot } from '../vectors/fixtures.ts'
import { writeAsciiList } from './ascii.ts'
import { type ImaEntry, parseImaList } from './list.ts'
import { hashedEntry, imaEntry } from './make-entry.ts'
import { BrokenLine, readAsciiList } from './read-ascii.ts'
import { templateHashHolds } from './template.ts'

function entriesOf(bytes: Uint8Array): ImaEntry[] {
  return Array.from(readAsciiList(bytes), ({ entry }) => entry)
}

/** The fields of a violation are arbitrary, so its digest may have any form. */
function comparable(entries: readonly ImaEntry[]) {
  return entries.map(({ pcr, templateHash, template, fields }) => [
    pcr,
    templateHash,
    template,
    ...fields,
  ])
}

test.each(['before_tools', 'after_tools'])('the text list %s equals the binary one', (at) => {
  expect(comparable(entriesOf(fixture(`ascii_${at}`)))).toEqual(
    comparable(parseImaList(fixture(`binary_${at}`))),
  )
})

for (const name of ['imang', 'imasigv2', 'seabios']) {
  const boot = neighbouringBoot(name) ?? ''
  test.skipIf(boot === '')(`the text list of the boot ${name} is the binary one`, () => {
    const [ascii, binary] = ['ascii', 'binary'].map(
      (form) => new Uint8Array(readFileSync(`${boot}/${form}_before_tools`)),
    )
    expect(comparable(entriesOf(ascii ?? filled(0)))).toEqual(
      comparable(parseImaList(binary ?? filled(0))),
    )
  })
}

test('a name that contains a whole line is one entry, with the offsets of its columns', () => {
  const good = imaEntry('ima-sig', { path: '/usr/bin/good', digest: filled(32, 7) })
  const line = new TextDecoder().decode(writeAsciiList([good])).trimEnd()
  const [digestField = filled(0)] = imaEntry('ima-sig', {
    path: '/x',
    digest: filled(32, 1),
  }).fields
  const fields = [digestField, cat(text(`/x\n${line}`), filled(1)), filled(0)]
  const evil = hashedEntry({ template: 'ima-sig', fields })
  const [first, second] = readAsciiList(writeAsciiList([evil, good]))
  expect(first).toMatchObject({ entry: evil, lines: 2, offset: 0, whole: true })
  expect(second).toMatchObject({ entry: good, lines: 1, offset: first?.length })
})

test('an entry whose hash does not match keeps the following lines that are not entries', () => {
  const list = text(`10 ${'11'.repeat(20)} ima-ng sha1:${'00'.repeat(20)} /a\nb\n`)
  const [only] = readAsciiList(list)
  expect(only).toMatchObject({ lines: 2, whole: true, length: list.length })
  expect(only && templateHashHolds(only.entry)).toBe(false)
})

const XATTRS = new Map([
  ['security.ima', filled(3, 1)],
  ['security.selinux', filled(2, 2)],
])
const MEASURED = {
  path: '/a b',
  digest: filled(32, 5),
  signature: filled(9, 3),
  buffer: text('critical'),
  modsig: { digest: filled(32, 6), pkcs7: filled(40, 7) },
  evm: { signature: filled(8, 4), xattrs: XATTRS, uid: 1000, gid: 70_000, mode: 0o100_755 },
}
const { path, digest } = MEASURED

test.each([
  'ima-ng',
  'ima-ngv2',
  'ima-sig',
  'ima-sigv2',
  'ima-buf',
  'ima-modsig',
  'evm-sig',
  'd-ng|n-ng',
  'd-ng|n-ng|imode|sig',
  'd|n',
])(
  'an entry of %s survives a round trip through text, with and without optional fields',
  (template) => {
    const entries = [imaEntry(template, MEASURED), imaEntry(template, { path, digest })]
    const read = [...readAsciiList(writeAsciiList(entries))]
    expect(read.map(({ entry }) => entry)).toEqual(entries)
    expect(read.map(({ whole }) => whole)).toEqual([true, true])
  },
)

test('an entry of the original template keeps its name without a terminator', () => {
  const entry = imaEntry('ima', { path: '/bin/a', digest: filled(20, 1) })
  expect(entriesOf(writeAsciiList([entry]))).toEqual([entry])
})

test('an unknown template is read and is not whole', () => {
  const [only] = readAsciiList(text(`10 ${'11'.repeat(20)} x-new a b\n`))
  expect(only).toMatchObject({ whole: false, entry: { template: 'x-new' } })
})

test.each<[string, number, RegExp]>([
  ['hello\n', 0, /does not begin with a PCR number/],
  ['\n', 0, /empty line/],
  ['10 ab ima-ng\n', 0, /has 2 characters; 40 hexadecimal digits/],
  [`10 ${'00'.repeat(20)}`, 0, /ends before the name of the template/],
])('%j fails at its offset', (list, offset, why) => {
  const read = () => entriesOf(text(list))
  expect(read).toThrow(BrokenLine)
  expect(read).toThrow(expect.objectContaining({ offset, message: expect.stringMatching(why) }))
})

test('the reader throws nothing but BrokenLine for any bytes', () => {
  const line = fc.oneof(fc.string(), fc.constant(`10 ${'0'.repeat(40)} ima-ng sha1:00 /a`))
  fc.assert(
    fc.property(fc.array(line, { maxLength: 5 }), (lines) => {
      try {
        entriesOf(text(lines.join('\n')))
      } catch (error) {
        expect(error).toBeInstanceOf(BrokenLine)
      }
    }),
  )
})

import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { text, toHex } from '../tpm/write.ts'
import { fixture, neighbouringBoot } from '../vectors/fixtures.ts'
import { writeAsciiEntry, writeAsciiList } from './ascii.ts'
import { type ImaEntry, isViolation, parseImaList, writeImaList } from './list.ts'
import { imaBufEntry, imaSigEntry, violationEntry } from './make-entry.ts'
import { extendValues, templateData, templateHashHolds } from './template.ts'

const RECORDED = parseImaList(fixture('binary_before_tools'))

function asciiText(entry: ImaEntry): string {
  return new TextDecoder().decode(writeAsciiEntry(entry))
}

test.each(['before_tools', 'after_tools'])(
  'binary_%s becomes the ASCII list of the kernel',
  (at) => {
    const entries = parseImaList(fixture(`binary_${at}`))
    expect(writeAsciiList(entries)).toEqual(fixture(`ascii_${at}`))
  },
)

test.each(['before_tools', 'after_tools'])('binary_%s, written again, is the same bytes', (at) => {
  const bytes = fixture(`binary_${at}`)
  expect(writeImaList(parseImaList(bytes))).toEqual(bytes)
})

for (const name of ['imang', 'imasigv2', 'seabios']) {
  const boot = neighbouringBoot(name) ?? ''
  test.skipIf(boot === '')(`the list of the boot ${name} becomes its ASCII list`, () => {
    const entries = parseImaList(new Uint8Array(readFileSync(`${boot}/binary_before_tools`)))
    const ascii = new Uint8Array(readFileSync(`${boot}/ascii_before_tools`))
    expect(writeAsciiList(entries)).toEqual(ascii)
  })
}

test('every recorded entry except violations has the hash of its template data', () => {
  const violations = RECORDED.filter(isViolation)
  expect(violations).toHaveLength(2)
  const others = RECORDED.filter((entry) => !isViolation(entry))
  expect(others.every(templateHashHolds)).toBe(true)
})

test('a truncated list is refused with the offset', () => {
  const bytes = fixture('binary_before_tools')
  expect(() => parseImaList(bytes.subarray(0, bytes.length - 1))).toThrow(
    /^IMA list at byte \d+: \d+ byte\(s\) wanted, \d+ there$/,
  )
})

test('a kernel hashes for SHA-256, and pads SHA-1 for SHA-384 and SHA-512', () => {
  const entry = imaSigEntry('/bin/true', new Uint8Array(32))
  const values = extendValues(entry)
  const padded = toHex(entry.templateHash)
  expect([toHex(values.sha384), toHex(values.sha512)]).toEqual([
    padded.padEnd(96, '0'),
    padded.padEnd(128, '0'),
  ])
  expect(toHex(values.sha256)).not.toBe(padded.padEnd(64, '0'))
})

test('a kernel with every hash pads nothing', () => {
  const entry = imaSigEntry('/bin/true', new Uint8Array(32))
  const { sha384 } = extendValues(entry, ['sha1', 'sha256', 'sha384', 'sha512'])
  expect(toHex(sha384)).not.toMatch(/0{56}$/)
})

test('a violation is extended with 0xff of the length of each bank', () => {
  const values = extendValues(violationEntry('/etc/passwd'))
  const lengths = Object.values(values).map((value) => [value.length, new Set(value)])
  expect(lengths).toEqual([20, 32, 48, 64].map((size) => [size, new Set([0xff])]))
})

test('a generated entry has the form of a kernel entry', () => {
  const known = RECORDED.find((entry) => asciiText(entry).includes('/mnt/run.sh'))
  const fileDigest = known?.fields[0]?.subarray(8) ?? new Uint8Array()
  expect(imaSigEntry('/mnt/run.sh', fileDigest)).toEqual(known)
})

test('a generated buffer entry has the form of a kernel entry', () => {
  const known = RECORDED.find(({ template }) => template === 'ima-buf')
  expect(imaBufEntry('kernel_version', known?.fields[2] ?? new Uint8Array())).toEqual(known)
})

test('a blank in a name is listed as an underscore', () => {
  const entry = imaSigEntry('/a b', new Uint8Array(20))
  expect(asciiText(entry)).toMatch(/ ima-sig sha1:0{40} \/a_b \n$/)
})

test('a digest of an unknown length is refused', () => {
  expect(() => imaSigEntry('/a', new Uint8Array(31))).toThrow(/31 bytes/)
})

test('the name of the original template is padded for its hash and listed without padding', () => {
  const fields = [new Uint8Array(20), text('/bin/a')]
  const entry = { pcr: 10, templateHash: new Uint8Array(20).fill(1), template: 'ima', fields }
  expect(templateData(entry)).toHaveLength(20 + 256)
  expect(asciiText(entry)).toBe(`10 ${'01'.repeat(20)} ima ${'00'.repeat(20)} /bin/a\n`)
})

test('a list of sixty thousand entries is written and read', () => {
  const entry = imaSigEntry('/bin/true', new Uint8Array(32))
  const entries = Array.from({ length: 60_000 }, () => entry)
  expect(parseImaList(writeImaList(entries))).toHaveLength(entries.length)
  expect(writeAsciiList(entries).length).toBe(entries.length * writeAsciiEntry(entry).length)
})

test('lists of mixed and unknown templates survive a round trip', () => {
  const bytes = fc.uint8Array({ maxLength: 40 })
  const hash = fc.uint8Array({ minLength: 20, maxLength: 20 })
  const counted = fc.record({
    pcr: fc.nat(0xffffffff),
    templateHash: hash,
    template: fc.constantFrom('ima-ng', 'ima-sig', 'ima-buf', 'd-ng|n-ng', 'x'),
    fields: fc.array(bytes, { maxLength: 4 }),
  })
  const original = fc.record({
    pcr: fc.nat(23),
    templateHash: hash,
    template: fc.constant('ima'),
    fields: fc.tuple(hash, bytes),
  })
  fc.assert(
    fc.property(fc.array(fc.oneof(counted, original), { maxLength: 6 }), (entries) => {
      expect(parseImaList(writeImaList(entries))).toEqual(entries)
    }),
  )
})

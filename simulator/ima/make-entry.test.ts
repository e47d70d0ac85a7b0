import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { filled, fromHex, text, toHex } from '../tpm/write.ts'
import { fixture, neighbouringBoot } from '../vectors/fixtures.ts'
import { writeAsciiEntry, writeAsciiList } from './ascii.ts'
import { TEMPLATE_NAMES } from './fields.ts'
import { type ImaEntry, isViolation, parseImaList, writeImaList } from './list.ts'
import { imaEntry, violationEntry } from './make-entry.ts'
import { extendValues, templateHashHolds } from './template.ts'

const DIGEST = filled(32, 0xab)

function ascii(entry: ImaEntry): string {
  return new TextDecoder().decode(writeAsciiEntry(entry))
}

/** Makes an entry again from the field values of a kernel entry. */
function remade({ template, fields }: ImaEntry): ImaEntry {
  const [head = filled(0), name = filled(0), last = filled(0)] = fields
  const path = name.subarray(0, -1)
  const digest = head.subarray(head.indexOf(0) + 1)
  return imaEntry(template, { path, digest, signature: last, buffer: last })
}

for (const boot of ['full-ovmf-imasig', 'imang', 'imasigv2', 'seabios']) {
  const path = neighbouringBoot(boot)
  const load = (name: string) =>
    boot === 'full-ovmf-imasig' ? fixture(name) : new Uint8Array(readFileSync(`${path}/${name}`))
  const absent = path === undefined && boot !== 'full-ovmf-imasig'
  test.skipIf(absent)(
    `entries made from the facts of ${boot} are the kernel's, byte by byte`,
    () => {
      const truth = parseImaList(load('binary_before_tools'))
      const made = truth.map((entry) => (isViolation(entry) ? entry : remade(entry)))
      expect(writeImaList(made)).toEqual(load('binary_before_tools'))
      expect(writeAsciiList(made)).toEqual(load('ascii_before_tools'))
    },
  )
}

test.each([
  ['ima', / ima (ab){20} \/a\n$/],
  ['ima-ng', / ima-ng sha256:(ab){32} \/a\n$/],
  ['ima-ngv2', / ima-ngv2 ima:sha256:(ab){32} \/a\n$/],
  ['ima-sig', / ima-sig sha256:(ab){32} \/a \n$/],
  ['ima-sigv2', / ima-sigv2 ima:sha256:(ab){32} \/a \n$/],
  ['ima-buf', / ima-buf sha256:(ab){32} \/a \n$/],
  ['ima-modsig', / ima-modsig sha256:(ab){32} \/a {3}\n$/],
  ['evm-sig', / evm-sig sha256:(ab){32} \/a {7}\n$/],
  ['d-ng|n-ng|sig', / d-ng\|n-ng\|sig sha256:(ab){32} \/a \n$/],
] as const)('%s is listed with every column, empty ones included', (template, line) => {
  const digest = template === 'ima' ? DIGEST.subarray(12) : DIGEST
  const entry = imaEntry(template, { path: '/a', digest })
  expect(templateHashHolds(entry)).toBe(true)
  expect(ascii(entry)).toMatch(line)
  expect(parseImaList(writeImaList([entry]))).toEqual([entry])
})

test('the table above has a line for every named template', () => {
  expect(TEMPLATE_NAMES).toHaveLength(8)
})

test('an appended signature is listed after the digest that it covers', () => {
  const modsig = { digest: filled(32, 1), pkcs7: fromHex('3080') }
  const entry = imaEntry('ima-modsig', { path: '/a', digest: DIGEST, modsig })
  expect(ascii(entry)).toMatch(/ \/a {2}sha256:(01){32} 3080\n$/)
})

test('the metadata that an EVM signature covers is listed as names, lengths and values, owner and mode', () => {
  const xattrs = new Map([
    ['security.ima', fromHex('0404')],
    ['security.selinux', text('x')],
  ])
  const evm = { signature: fromHex('05'), xattrs, uid: 1000, gid: 0, mode: 0o100755 }
  const entry = imaEntry('evm-sig', { path: '/a', digest: DIGEST, evm })
  const columns = `05 security.ima|security.selinux ${toHex(fromHex('0200000001000000'))} 040478`
  expect(ascii(entry)).toMatch(new RegExp(` /a ${columns.replace('|', '\\|')} 1000 0 33261\n$`))
})

test('an fs-verity digest is marked in the v2 templates', () => {
  const entry = imaEntry('ima-ngv2', { path: '/a', digest: DIGEST, digestType: 'verity' })
  expect(ascii(entry)).toMatch(/ ima-ngv2 verity:sha256:/)
})

test('a name that is not UTF-8 is listed byte for byte, its blanks as underscores', () => {
  const entry = imaEntry('ima-ng', { path: fromHex('2f20ff'), digest: DIGEST })
  expect(toHex(entry.fields[1] ?? filled(0))).toBe('2f5fff00')
})

test.each(TEMPLATE_NAMES)('a violation of %s lists zeros and extends ones', (template) => {
  const entry = violationEntry('/a', template)
  expect(isViolation(entry)).toBe(true)
  expect(extendValues(entry).sha256).toEqual(filled(32, 0xff))
  expect(ascii(entry)).toMatch(/^10 0{40} .*:?0{40,64} \/a/)
})

test('an unknown template is refused with a list of the known ones', () => {
  expect(() => imaEntry('ima-ngv3', { path: '/a', digest: DIGEST })).toThrow(
    /unknown template "ima-ngv3": use one of ima, ima-ng,.* or fields like d-ng\|n-ng/,
  )
})

test('a byte of a name that is no UTF-8 is written as a surrogate without its pair', () => {
  const [, name = filled(0)] = imaEntry('ima-ng', {
    path: '\u{1f600}é\udcff\udc80',
    digest: DIGEST,
  }).fields
  expect(toHex(name)).toBe('f09f9880c3a9ff8000')
})

import { X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { toHex } from '../../bytes/hex.ts'
import { concat } from '../../bytes/writer.ts'
import { recorded } from '../../tpm/testing/recorded-boot.ts'
import { EK, ekCertificateWith } from '../testing/ek-certificates.ts'
import { der, extension, hex, IDS, sequence, text, validity } from '../testing/write-certificate.ts'
import { parseEkCertificate } from './parse-certificate.ts'
import { subjectPublicKey } from './subject-key.ts'
import { tpmNamesOf, vendorOf } from './tpm-names.ts'

const good = ekCertificateWith()
const ids = (bytes: Uint8Array) => parseEkCertificate(bytes).workarounds.map(({ id }) => id)

test('an EK certificate has a subject, a validity and a key', () => {
  const read = parseEkCertificate(good)
  expect(read).toMatchObject({ version: 3, workarounds: [], usages: ['2.23.133.8.1'] })
  expect(read.constraints).toEqual({ ca: false, pathLength: undefined })
  expect([...(read.keyUsage ?? [])]).toEqual([4])
  expect(new Date(read.notBefore).toISOString()).toBe('2026-01-01T00:00:00.000Z')
  expect(subjectPublicKey(read.key).equals(new X509Certificate(good).publicKey)).toBe(true)
})

test('the recorded TPM has a maker, a model, a version and a specification', () => {
  const read = parseEkCertificate(recorded('ekcert_1c00002.der'))
  const names = { manufacturer: ['id:00001014'], model: ['swtpm'], version: ['id:20191023'] }
  expect(tpmNamesOf(read)).toEqual(names)
  expect(read.specification).toEqual({ family: '2.0', level: 0, revision: 164 })
})

test.each([
  ['id:49465800', 'IFX'],
  ['id:53544D20', 'STM'],
  ['id:00001014', '0x00001014'],
  ['IFX', undefined],
  ['id:4946580', undefined],
])('the maker of %s is %s', (manufacturer, vendor) => {
  expect(vendorOf(manufacturer)).toBe(vendor)
})

const setOrder = sequence(
  der(
    0x31,
    sequence(hex('060355040a'), text(0x0c, 'maker of TPMs')),
    sequence(hex('0603550403'), text(0x0c, 'a')),
  ),
)
const OAEP = sequence(
  sequence(hex('06092a864886f70d010107'), sequence()),
  der(0x03, hex('00 3006 020103 020103')),
)

test.each<[string, Uint8Array, string, string]>([
  ['zeros after it', concat(good, new Uint8Array(9)), 'nv-padding', '00'],
  ['0xff after it', concat(good, new Uint8Array(9).fill(255)), 'nv-padding', 'ff'],
  ['a header of 7 bytes', concat(hex('1001 00 0200 1002'), good), 'nv-header', '1001000200'],
  ['a set out of order', ekCertificateWith({ issuer: setOrder }), 'set-order', '31'],
  [
    'critical FALSE',
    ekCertificateWith({
      instead: {
        usages: sequence(hex(IDS.usages), hex('010100'), hex('0409 3007 06056781050801')),
      },
    }),
    'critical-default',
    '30130603551d25',
  ],
  [
    'cA FALSE',
    ekCertificateWith({ instead: { constraints: extension(IDS.constraints, hex('3003010100')) } }),
    'constraints-default',
    '300c0603551d13',
  ],
  [
    'a boolean that is 0x01',
    ekCertificateWith({
      instead: { keyUsage: sequence(hex(IDS.keyUsage), hex('010101'), hex('040403020308')) },
    }),
    'boolean',
    '010101',
  ],
  [
    'a negative serial number',
    ekCertificateWith({ serialNumber: hex('020180') }),
    'serial-number',
    '020180',
  ],
  [
    'serial number 0',
    ekCertificateWith({ serialNumber: hex('020100') }),
    'serial-number',
    '020100',
  ],
  [
    'a serial number of 21 bytes',
    ekCertificateWith({ serialNumber: der(0x02, new Uint8Array(21).fill(1)) }),
    'serial-number',
    '0215',
  ],
  ['a key labelled RSAES-OAEP', ekCertificateWith({ spki: OAEP }), 'rsaes-oaep', '30'],
  [
    'a year before 2050 in four digits',
    ekCertificateWith({
      validity: sequence(text(0x18, '20260101000000Z'), text(0x17, '491231235959Z')),
    }),
    'time-form',
    '180f',
  ],
  [
    'an invalid specification',
    ekCertificateWith({ besides: [extension(IDS.directoryAttributes, sequence(hex('0500')))] }),
    'tpm-specification',
    '0500',
  ],
])('a certificate with %s is read, and it shows', (_, bytes, id, there) => {
  const { workarounds } = parseEkCertificate(bytes)
  expect(workarounds.map((each) => each.id)).toEqual([id])
  expect(toHex(bytes.subarray(workarounds[0]?.at))).toMatch(new RegExp(`^${there}`))
})

test('offsets count from the beginning of the input', () => {
  const odd = ekCertificateWith({ serialNumber: hex('020100') })
  const wrapped = concat(hex('1001 00 0200 1002'), odd, new Uint8Array(2))
  const [, , { at = 0 } = {}] = parseEkCertificate(wrapped).workarounds
  expect(ids(wrapped)).toEqual(['nv-header', 'nv-padding', 'serial-number'])
  expect([...wrapped.subarray(at, at + 3)]).toEqual([2, 1, 0])
})

const RDN = sequence(hex('0603550403'), text(0x0c, 'x'))

test.each<[string, Uint8Array, RegExp]>([
  ['nothing', new Uint8Array(), /^Certificate at byte 0: nothing is left/],
  ['a text', new TextEncoder().encode('emulator'), /^Certificate at byte 2: needs 109 byte/],
  [
    'a cut certificate',
    good.subarray(0, -1),
    /^Certificate at byte 4: needs \d+ byte\(s\), \d+ left/,
  ],
  [
    'JSON after it',
    concat(good, new TextEncoder().encode('{}')),
    /2 byte\(s\) follow the certificate/,
  ],
  [
    'a byte within its padding',
    concat(good, hex('0000 01 00')),
    /4 byte\(s\) follow|2 byte\(s\) follow/,
  ],
  [
    'an attribute certificate',
    sequence(sequence(hex('020101'), sequence(hex('a000')))),
    /attribute certificate/,
  ],
  [
    'a padded number',
    ekCertificateWith({ serialNumber: hex('02020005') }),
    /not strict DER: a number has more bytes/,
  ],
  [
    'an empty number',
    ekCertificateWith({ serialNumber: hex('0200') }),
    /a number has more bytes than it needs, or none/,
  ],
  [
    'version 4',
    ekCertificateWith({ version: hex('a003020103') }),
    /version\.?.* at byte \d+: is no version of X\.509/,
  ],
  [
    'extensions in version 1',
    ekCertificateWith({ version: new Uint8Array() }),
    /are of version 3, and this is 1/,
  ],
  [
    'two signature algorithms',
    ekCertificateWith({ outerAlgorithm: hex('300a06082a8648ce3d040303') }),
    /signatureAlgorithm at byte \d+: is not the one that was signed/,
  ],
  [
    'a 31st of February',
    ekCertificateWith({ validity: validity('260231000000Z', '491231235959Z') }),
    /notBefore at byte \d+: is no time of any calendar/,
  ],
  [
    'the hour 24',
    ekCertificateWith({ validity: validity('260101240000Z', '491231235959Z') }),
    /is no time/,
  ],
  [
    'a time without seconds',
    ekCertificateWith({ validity: validity('2601010000Z', '491231235959Z') }),
    /is not YYMMDDHHMMSSZ/,
  ],
  [
    'an extension twice',
    ekCertificateWith({ besides: [extension(IDS.usages, sequence(hex('06056781050801')))] }),
    /2\.5\.29\.37 once more/,
  ],
  [
    'no usage in its extended key usage',
    ekCertificateWith({ instead: { usages: extension(IDS.usages, sequence()) } }),
    /extnValue\[0\] at byte \d+: nothing is left/,
  ],
  [
    'a negative path length',
    ekCertificateWith({
      instead: { constraints: extension(IDS.constraints, hex('30060101ff0201ff')) },
    }),
    /pathLenConstraint at byte \d+: is no number from 0/,
  ],
  [
    'a relative name of nothing',
    ekCertificateWith({ issuer: sequence(der(0x31)) }),
    /issuer\[0\]\[0\] at byte \d+: nothing is left/,
  ],
  [
    'something after an extension',
    ekCertificateWith({ besides: [sequence(hex('0603551d0e'), hex('0400'), hex('0500'))] }),
    /2 byte\(s\) left over/,
  ],
  [
    'a name that is no string of a set',
    ekCertificateWith({ subject: sequence(RDN) }),
    /subject\[0\] at byte \d+: is a SEQUENCE, and no SET/,
  ],
  [
    'no extension in its list of them',
    ekCertificateWith({ extensions: [new Uint8Array()] }),
    /nothing is left/,
  ],
])('%s is refused in a sentence', (_, bytes, sentence) => {
  expect(() => parseEkCertificate(bytes)).toThrow(sentence)
})

test('a certificate may have layers, and not without end', () => {
  const nested = (depth: number): Uint8Array =>
    depth === 0 ? hex('0500') : sequence(nested(depth - 1))
  const within = (depth: number) =>
    ekCertificateWith({ subject: sequence(der(0x31, sequence(hex('0603550403'), nested(depth)))) })
  expect(parseEkCertificate(within(20)).subject[0]?.[0]?.isText).toBe(false)
  expect(() => parseEkCertificate(within(60))).toThrow('has too many layers')
})

/** Nested elements to the greatest parsed depth, around the given number of empty ones. */
const deep = (nulls: number) => {
  let nested = der(0x31, ...Array.from({ length: nulls }, () => hex('0500')))
  for (let layer = 0; layer < 24; layer++) nested = sequence(nested)
  return sequence(der(0x31, sequence(hex('0603550403'), nested)))
}

const MANY = 100_000

test.each<[string, (size: number) => Uint8Array]>([
  ['names', (size) => sequence(...Array.from({ length: size }, () => der(0x31, RDN)))],
  ['parts of one name', (size) => sequence(der(0x31, ...Array.from({ length: size }, () => RDN)))],
  ['elements below many layers', (size) => deep(size)],
])('a hundred thousand %s are read before the time of a test is over', (_, subject) => {
  // Steps that grew with the square of them would take hours.
  expect(parseEkCertificate(ekCertificateWith({ subject: subject(MANY) })).subject).not.toEqual([])
})

test('the key is the one that was certified', () => {
  expect(parseEkCertificate(good).key.spki).toEqual(EK.spki)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromBase64 } from '../../bytes/base64.ts'
import { type Certificate, parseCertificate } from '../ek-certificate/parse-certificate.ts'
import { REPORTS } from '../testing/snp-reports.ts'
import { readVcek } from './vcek.ts'

const certificate = parseCertificate(fromBase64(REPORTS.usual.vcek))
const SNP = '1.3.6.1.4.1.3704.1.3.3'

function withExtension(id: string, value: Uint8Array): Certificate {
  return { ...certificate, extensions: new Map([...certificate.extensions, [id, value]]) }
}

test('a certificate names its chip and the versions of its firmware', () => {
  const { key, chipId, tcb } = readVcek(certificate)
  expect(key?.asymmetricKeyDetails).toEqual({ namedCurve: 'secp384r1' })
  expect(chipId).toHaveLength(64)
  expect(Object.fromEntries(tcb)).toEqual({ bootloader: 4, tee: 1, snp: 22, microcode: 213 })
})

test('a version is an INTEGER from 0 to 255 in its only encoding, or absent', () => {
  const encodings = new Map<string, number>()
  for (let version = 0; version < 256; version++) {
    const encoded = version < 0x80 ? [2, 1, version] : [2, 2, 0, version]
    encodings.set(encoded.join(), version)
    expect(readVcek(withExtension(SNP, Uint8Array.from(encoded))).tcb.get('snp')).toBe(version)
  }
  const tag = fc.constantFrom(2, 2, 2, 4)
  const rest = fc.array(fc.constantFrom(0, 1, 2, 0x7f, 0x80, 0xff), { maxLength: 5 })
  fc.assert(
    fc.property(tag, rest, (first, others) => {
      const bytes = [first, ...others]
      const { tcb } = readVcek(withExtension(SNP, Uint8Array.from(bytes)))
      expect(tcb.get('snp')).toBe(encodings.get(bytes.join()))
    }),
  )
})

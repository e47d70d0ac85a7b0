import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { selfSignedAuthority } from '../../simulator/testing/certificate-authority.ts'
import { makeCertificate } from '../../simulator/x509/factory.ts'
import { listFileChecks } from './check-files.ts'
import { temporaryDirectory } from './testing/test-support.ts'

const NOW = new Date()
const DAY = 86_400_000
const authority = await selfSignedAuthority('CN=The CA', 'P-256', NOW.getTime())
const other = await selfSignedAuthority('CN=Other', 'rsa', NOW.getTime())

/** The result of the issuer check. */
function run(issuer: { certificate: string; key: string }, now = NOW): string {
  const directory = temporaryDirectory()
  const place = (name: string, text: string) => {
    const file = join(directory, name)
    writeFileSync(file, text)
    return file
  }
  const files = {
    certificate: place('ca.crt', issuer.certificate),
    key: place('ca.pem', issuer.key),
  }
  const tls = { ca: files.certificate, admin: files, issuer: files }
  const check = listFileChecks({ tls }, now).find(({ what }) => what === 'issuer')
  expect(check?.files).toEqual([files.certificate, files.key])
  return check?.run() ?? 'there was no check'
}

test.each([
  ['EC', authority],
  ['RSA', other],
])('an issuer with a key of %s is accepted', (_, issuer) => {
  expect(run(issuer)).toMatch(/^valid to .* GMT$/)
})

test('a target without an issuer has no issuer check', () => {
  const admin = { certificate: 'a', key: 'b' }
  const checks = listFileChecks({ tls: { ca: 'c', admin } }, NOW)
  expect(checks.map(({ what }) => what)).not.toContain('issuer')
})

test('a certificate that is not a CA is refused', async () => {
  const leaf = await makeCertificate({}, authority, NOW.getTime())
  expect(() => run(leaf)).toThrow(/^the issuer's certificate \S+ is not a CA certificate$/)
})

test('a key of another CA is refused', () => {
  expect(() => run({ ...authority, key: other.key })).toThrow(
    /^the issuer's key \S+ does not belong to the certificate \S+$/,
  )
})

test('an expired CA is refused', () => {
  const later = new Date(NOW.getTime() + 400 * DAY)
  expect(() => run(authority, later)).toThrow(/^the issuer's certificate \S+ expired on /)
})

test('a file without a key is refused', () => {
  expect(() => run({ ...authority, key: 'x' })).toThrow(
    /^the issuer's key \S+ holds no PEM private key$/,
  )
})

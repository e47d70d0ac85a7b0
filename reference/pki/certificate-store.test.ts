import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { issue } from '../dev/testing/certificates/issue-certificate.ts'
import { temporaryDirectory } from '../dev/testing/temporary-directory.ts'
import { StartFault } from '../errors.ts'
import { loadCertificateStore } from './certificate-store.ts'

const authorities = [await issue({ name: 'one' }), await issue({ name: 'two' })]
const [ONE = '', TWO = ''] = authorities.map(({ certificate }) => certificate.toString())

function directoryOf(files: Readonly<Record<string, string>>): string {
  const directory = temporaryDirectory()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text)
  return directory
}

function namesIn(places: string): readonly string[] {
  return loadCertificateStore('tpm_cert_store', places).map(
    ({ certificate }) => certificate.subject,
  )
}

function faultOf(places: string): StartFault {
  try {
    loadCertificateStore('tpm_cert_store', places)
  } catch (error) {
    if (error instanceof StartFault) return error
  }
  throw new Error('it was not refused')
}

test('of a directory exactly the *.pem files are read', () => {
  const directory = directoryOf({ 'b.pem': TWO, 'a.pem': ONE, 'c.crt': 'x' })
  expect(namesIn(directory)).toEqual(['CN=one', 'CN=two'])
})

test('a file may hold several certificates, and a store several places', () => {
  const directory = directoryOf({ 'both.pem': `# makers\n${ONE}\r\n${TWO}`, 'two.pem': TWO })
  const place = (name: string) => join(directory, name)
  expect(namesIn(place('both.pem'))).toEqual(['CN=one', 'CN=two'])
  expect(namesIn(`${place('two.pem')}, ${place('both.pem')}`)).toHaveLength(3)
})

test('a place that is not there is named', () => {
  expect(faultOf('/nowhere').sentence).toBe(
    'tpm_cert_store: /nowhere cannot be read as certificates',
  )
})

test('a directory without *.pem is a fault: it would trust no certificate', () => {
  expect(faultOf(directoryOf({ 'a.crt': ONE })).sentence).toMatch(/holds no \*\.pem$/)
})

test.each([
  ['a public key', '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n'],
  ['nothing', ''],
])('a file with %s is named', (_, text) => {
  expect(faultOf(directoryOf({ 'a.pem': text })).sentence).toMatch(
    /a\.pem holds no certificate in PEM$/,
  )
})

test('a certificate that cannot be read is named with its file', () => {
  const text = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'
  expect(faultOf(directoryOf({ 'a.pem': text })).sentence).toMatch(/a\.pem cannot be read/)
})

import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { NOON } from '../testing/settable-clock.ts'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { CLIENT_AUTH, SERVER_AUTH } from './authority.ts'
import { ensureTlsDirectory, loadTlsFiles, tlsDirectoryOf } from './tls-directory.ts'

async function generated(listensAt = '127.0.0.1'): Promise<string> {
  const directory = join(temporaryDirectory(), 'cv_ca')
  await ensureTlsDirectory(directory, listensAt, NOON)
  return directory
}

function certificate(directory: string, name: string): X509Certificate {
  return new X509Certificate(readFileSync(join(directory, name)))
}

test.each([
  ['server-cert.crt', 'server-private.pem', SERVER_AUTH, 'CN=server'],
  ['client-cert.crt', 'client-private.pem', CLIENT_AUTH, 'CN=client'],
])('%s is of the CA, has its key and exactly its one usage', async (name, key, usage, subject) => {
  const directory = await generated()
  const leaf = certificate(directory, name)
  const ca = certificate(directory, 'cacert.crt')
  expect([leaf.checkIssued(ca), leaf.verify(ca.publicKey), leaf.ca]).toEqual([true, true, false])
  expect(leaf.checkPrivateKey(createPrivateKey(readFileSync(join(directory, key))))).toBe(true)
  expect([leaf.keyUsage, leaf.subject]).toEqual([[usage], subject])
})

test('the CA is self-signed, and a CA', async () => {
  const ca = certificate(await generated(), 'cacert.crt')
  expect([ca.ca, ca.checkIssued(ca), ca.verify(ca.publicKey)]).toEqual([true, true, true])
})

test('the server is good for this machine and for the address it listens at', async () => {
  const server = certificate(await generated('192.0.2.7'), 'server-cert.crt')
  const addresses = ['127.0.0.1', '::1', '192.0.2.7'].map((address) => server.checkIP(address))
  expect([server.checkHost('localhost'), ...addresses]).not.toContain(undefined)
  expect(server.checkIP('192.0.2.8')).toBeUndefined()
})

test('certificates are valid at the time of their making', async () => {
  const directory = await generated()
  for (const name of ['cacert.crt', 'server-cert.crt', 'client-cert.crt']) {
    const { validFrom, validTo } = certificate(directory, name)
    expect(Date.parse(validFrom)).toBeLessThan(NOON)
    expect(Date.parse(validTo)).toBeGreaterThan(NOON)
  }
})

test('private keys are readable by their owner only, and the key of the CA is not kept', async () => {
  const directory = await generated()
  const keys = readdirSync(directory).filter((name) => name.endsWith('.pem'))
  expect(new Set(keys)).toEqual(new Set(['server-private.pem', 'client-private.pem']))
  expect(keys.map((name) => statSync(join(directory, name)).mode & 0o777)).toEqual([0o600, 0o600])
})

test('a directory that has a CA is left alone', async () => {
  const directory = await generated()
  const before = readFileSync(join(directory, 'server-cert.crt'), 'utf8')
  await ensureTlsDirectory(directory, '127.0.0.1', NOON)
  expect(readFileSync(join(directory, 'server-cert.crt'), 'utf8')).toBe(before)
})

test('what an interrupted start left is made anew, and secret', async () => {
  const directory = await generated()
  const key = join(directory, 'server-private.pem')
  rmSync(join(directory, 'cacert.crt'))
  rmSync(key)
  writeFileSync(key, 'half a k', { mode: 0o644 })
  await ensureTlsDirectory(directory, '127.0.0.1', NOON)
  expect(loadTlsFiles(directory).key).toContain('PRIVATE KEY')
  expect(statSync(key).mode & 0o777).toBe(0o600)
})

test('a directory without its files is named, with what to do', () => {
  expect(() => loadTlsFiles('/nowhere')).toThrow(
    expect.objectContaining({ sentence: 'the TLS directory /nowhere has no readable cacert.crt' }),
  )
})

test.each([
  ['generate', '/state/cv_ca'],
  ['default', '/state/cv_ca'],
  ['/etc/tls', '/etc/tls'],
])('tls_dir %s is %s', (tls_dir, directory) => {
  expect(tlsDirectoryOf({ tls_dir, state_dir: '/state' })).toBe(directory)
})

import { createPrivateKey, X509Certificate } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { NOON } from '../dev/testing/settable-clock.ts'
import { temporaryDirectory } from '../dev/testing/temporary-directory.ts'
import { CLIENT_AUTH, SERVER_AUTH } from './authority.ts'
import { ensureTlsDirectory } from './tls-directory.ts'
import { NAMES } from './tls-names.ts'

async function generated(
  hosts: readonly string[] = [],
  directory = join(temporaryDirectory(), 'cv_ca'),
): Promise<string> {
  await ensureTlsDirectory({ directory, hosts, now: NOON })
  return directory
}

function certificate(directory: string, name: string): X509Certificate {
  return new X509Certificate(readFileSync(join(directory, name)))
}

test.each([
  ['server-cert.crt', 'server-private.pem', SERVER_AUTH, 'CN=server'],
  ['client-cert.crt', 'client-private.pem', CLIENT_AUTH, 'CN=client'],
  ['verifier-client-cert.crt', 'verifier-client-private.pem', CLIENT_AUTH, 'CN=verifier'],
])('%s is of the CA, has its key and exactly its one usage', async (name, key, usage, subject) => {
  const directory = await generated()
  const leaf = certificate(directory, name)
  const ca = certificate(directory, 'cacert.crt')
  expect([leaf.checkIssued(ca), leaf.verify(ca.publicKey), leaf.ca]).toEqual([true, true, false])
  expect(leaf.checkPrivateKey(createPrivateKey(readFileSync(join(directory, key))))).toBe(true)
  expect([leaf.keyUsage, leaf.subject]).toEqual([[usage], subject])
})

test.each([
  ['cacert.crt', 'ca-private.pem'],
  ['revocation-cacert.crt', 'revocation-ca-private.pem'],
])('%s is a self-signed CA and has its key', async (name, key) => {
  const directory = await generated()
  const ca = certificate(directory, name)
  expect([ca.ca, ca.checkIssued(ca), ca.verify(ca.publicKey)]).toEqual([true, true, true])
  expect(ca.checkPrivateKey(createPrivateKey(readFileSync(join(directory, key))))).toBe(true)
})

test('revocation has a CA of its own', async () => {
  const directory = await generated()
  const [servers, revocation] = [NAMES.ca, NAMES.revocationCa].map((name) =>
    certificate(directory, name),
  )
  expect(revocation?.subject).not.toBe(servers?.subject)
  expect(revocation?.publicKey.equals(servers?.publicKey ?? revocation.publicKey)).toBe(false)
})

test('the server certificate covers this machine, the listening address, and the requested names', async () => {
  const directory = await generated(['192.0.2.7', 'verifier.example', '*.pool.example'])
  const server = certificate(directory, 'server-cert.crt')
  const addresses = ['127.0.0.1', '::1', '192.0.2.7'].map((address) => server.checkIP(address))
  const names = ['localhost', 'verifier.example', 'a.pool.example'].map((name) =>
    server.checkHost(name),
  )
  expect([...names, ...addresses]).not.toContain(undefined)
  expect([server.checkIP('192.0.2.8'), server.checkHost('example')]).toEqual([undefined, undefined])
})

test.each(['a b', 'x\ny', 'a..b', '-', 'https://a', `${'a'.repeat(254)}`])(
  'no certificate is made for the host %j',
  async (host) => {
    await expect(generated([host])).rejects.toMatchObject({
      sentence: `no certificate can be made for ${JSON.stringify(host)}: it is neither a host name nor an address`,
    })
  },
)

test('certificates are valid at the time of their making, and have serial numbers of their own', async () => {
  const directory = await generated()
  const all = readdirSync(directory)
    .filter((name) => name.endsWith('.crt'))
    .map((name) => certificate(directory, name))
  for (const { validFrom, validTo, serialNumber } of all) {
    expect(Date.parse(validFrom)).toBeLessThan(NOON)
    expect(Date.parse(validTo)).toBeGreaterThan(NOON)
    // 16 random bytes, shown without leading zeros.
    expect(serialNumber.length).toBeGreaterThanOrEqual(20)
  }
  expect(new Set(all.map(({ serialNumber }) => serialNumber)).size).toBe(all.length)
})

test('private keys and the directory are for their owner only', async () => {
  const directory = await generated()
  const keys = readdirSync(directory).filter((name) => name.endsWith('.pem'))
  expect(keys).toHaveLength(5)
  expect(keys.map((name) => statSync(join(directory, name)).mode & 0o777)).toEqual(
    keys.map(() => 0o600),
  )
  expect(statSync(directory).mode & 0o777).toBe(0o700)
})

test('a directory that has a CA is left alone', async () => {
  const directory = await generated()
  const before = readFileSync(join(directory, 'server-cert.crt'), 'utf8')
  await generated([], directory)
  expect(readFileSync(join(directory, 'server-cert.crt'), 'utf8')).toBe(before)
})

test('of several starts at once one makes the directory and all of them use it', async () => {
  const directory = join(temporaryDirectory(), 'deep', 'cv_ca')
  await Promise.all(Array.from({ length: 8 }, () => generated([], directory)))
  expect(readdirSync(directory).sort()).toEqual(Object.values(NAMES).sort())
  expect(readdirSync(dirname(directory))).toEqual(['cv_ca'])
  const leaf = certificate(directory, NAMES.serverCertificate)
  expect(leaf.verify(certificate(directory, NAMES.ca).publicKey)).toBe(true)
})

test('an empty directory is filled', async () => {
  const directory = temporaryDirectory()
  await generated([], directory)
  expect(readdirSync(directory)).toContain('cacert.crt')
})

test('a directory that has lost its CA is named, and nothing is made in it', async () => {
  const directory = await generated()
  rmSync(join(directory, 'cacert.crt'))
  const left = readdirSync(directory)
  await expect(generated([], directory)).rejects.toMatchObject({
    sentence: `the TLS directory ${directory} has ca-private.pem but no cacert.crt`,
    next: 'put cacert.crt back, or move the directory away so that the next start makes another',
  })
  expect(readdirSync(directory)).toEqual(left)
})

test('a place where no directory can be made is named', async () => {
  const file = join(temporaryDirectory(), 'file')
  writeFileSync(file, '')
  const directory = join(file, 'cv_ca')
  await expect(generated([], directory)).rejects.toMatchObject({
    sentence: `the TLS directory ${directory} cannot be made (EEXIST)`,
  })
})

test('a directory with other files is not filled', async () => {
  const directory = temporaryDirectory()
  mkdirSync(join(directory, 'photos'))
  await expect(generated([], directory)).rejects.toMatchObject({
    sentence: `the TLS directory ${directory} has photos but no cacert.crt`,
  })
})

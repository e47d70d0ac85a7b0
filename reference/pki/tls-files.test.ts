import { generateKeyPairSync } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { issueWithoutUsage } from '../dev/testing/certificates/issue-without-usage.ts'
import { openDirectory } from '../dev/testing/open-directory.ts'
import { NOON } from '../dev/testing/settable-clock.ts'
import { temporaryDirectory } from '../dev/testing/temporary-directory.ts'
import { createAuthority } from './authority.ts'
import { ensureTlsDirectory } from './tls-directory.ts'
import { loadAdministratorFiles, loadTlsFiles } from './tls-files.ts'
import {
  administratorPlacesOf,
  NAMES,
  type TlsSettings,
  tlsDirectoryOf,
  tlsPlacesOf,
} from './tls-names.ts'

const DAY = 86_400_000
const DEFAULTS = {
  state_dir: '/state',
  trusted_client_ca: 'default',
  server_cert: 'default',
  server_key: 'default',
  client_cert: 'default',
  client_key: 'default',
}

async function generated(parent = temporaryDirectory()): Promise<string> {
  const directory = join(parent, 'cv_ca')
  await ensureTlsDirectory({ directory, hosts: [], now: NOON })
  return directory
}

function load(directory: string, settings: Partial<TlsSettings> = {}, now = NOON) {
  return loadTlsFiles(tlsPlacesOf({ ...DEFAULTS, tls_dir: directory, ...settings }), now)
}

/** The sentence with which a directory is refused after something was done to one of its files. */
async function sentenceAfter(change: (directory: string) => void | Promise<void>, now = NOON) {
  const directory = await generated()
  await change(directory)
  try {
    load(directory, {}, now)
  } catch (error) {
    return (error as { sentence: string }).sentence.replaceAll(`${directory}/`, '')
  }
  throw new Error('it was not refused')
}

function put(name: string, text: string) {
  return (directory: string) => writeFileSync(join(directory, name), text)
}

function copy(from: string, to: string) {
  return (directory: string) =>
    writeFileSync(join(directory, to), readFileSync(join(directory, from)))
}

test.each([
  ['generate', '/state/cv_ca'],
  ['default', '/state/cv_ca'],
  ['/etc/tls', '/etc/tls'],
])('tls_dir %s is %s', (tls_dir, directory) => {
  expect(tlsDirectoryOf({ tls_dir, state_dir: '/state' })).toBe(directory)
})

test('the generated files are loaded', async () => {
  const directory = await generated()
  const file = (name: string) => readFileSync(join(directory, name), 'utf8')
  expect(load(directory)).toEqual({
    ca: file('cacert.crt'),
    certificate: file('server-cert.crt'),
    key: file('server-private.pem'),
    client: {
      certificate: file('verifier-client-cert.crt'),
      key: file('verifier-client-private.pem'),
    },
  })
})

const ADMINISTRATOR = {
  ...{ state_dir: '/state', trusted_server_ca: 'default' },
  ...{ client_cert: 'default', client_key: 'default' },
}

test('the default of an administrator is the certificate that the verifier made for the first', async () => {
  const directory = await generated()
  const file = (name: string) => readFileSync(join(directory, name), 'utf8')
  const places = administratorPlacesOf({ ...ADMINISTRATOR, tls_dir: directory })
  expect(loadAdministratorFiles(places, NOON)).toEqual({
    ca: file('cacert.crt'),
    identity: { certificate: file('client-cert.crt'), key: file('client-private.pem') },
  })
})

test('an administrator may name single files, and a certificate for servers is refused', async () => {
  const directory = await generated()
  const given = { client_cert: 'server-cert.crt', client_key: 'server-private.pem' }
  const places = administratorPlacesOf({ ...ADMINISTRATOR, tls_dir: directory, ...given })
  expect(() => loadAdministratorFiles(places, NOON)).toThrow('is not for clients')
})

test('a component that is never a client has no client certificate', async () => {
  const { client_cert: _, client_key: __, ...registrar } = DEFAULTS
  const places = tlsPlacesOf({ ...registrar, tls_dir: await generated() })
  expect(loadTlsFiles(places, NOON).client).toBeUndefined()
})

test('a given file is relative to the directory, or absolute', () => {
  const given = { ...DEFAULTS, tls_dir: '/tls', server_cert: 'a/b.crt', server_key: '/keys/c.pem' }
  expect(tlsPlacesOf(given)).toMatchObject({
    serverCertificate: '/tls/a/b.crt',
    serverKey: '/keys/c.pem',
    trustedClientCa: '/tls/cacert.crt',
  })
})

test('clients may come from several authorities', async () => {
  const directory = await generated()
  const other = await createAuthority('Other CA', NOON)
  const both = `${readFileSync(join(directory, NAMES.ca), 'utf8')}\n${other.certificate}`
  put('both.crt', both)(directory)
  expect(load(directory, { trusted_client_ca: 'both.crt' }).ca).toBe(both)
})

test('a server certificate without any extended key usage will do', async () => {
  const directory = await generated()
  const { certificate, key } = await issueWithoutUsage(await createAuthority('CA', NOON))
  put(NAMES.serverCertificate, certificate)(directory)
  put(NAMES.serverKey, key)(directory)
  expect(load(directory).certificate).toBe(certificate)
})

const LOCKED = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' },
}).privateKey

test.each(Object.values(NAMES).slice(0, 3))('a missing %s is named', async (name) => {
  const remove = (directory: string) => rmSync(join(directory, name))
  expect(await sentenceAfter(remove)).toBe(`the TLS file ${name} is missing`)
})

test.each([
  ['the CA is no PEM', put(NAMES.ca, 'x'), 'cacert.crt holds no PEM certificate'],
  [
    'the CA is a leaf',
    copy(NAMES.serverCertificate, NAMES.ca),
    "cacert.crt holds a certificate that is no authority's",
  ],
  [
    'the certificate is no PEM',
    put(NAMES.serverCertificate, 'half a c'),
    'server-cert.crt holds no PEM certificate',
  ],
  ['the key is no PEM', put(NAMES.serverKey, 'x'), 'server-private.pem holds no PEM private key'],
  [
    'the key is locked',
    put(NAMES.serverKey, LOCKED),
    'the key server-private.pem is locked with a passphrase',
  ],
  [
    "the key is another certificate's",
    copy(NAMES.adminKey, NAMES.serverKey),
    'the key server-private.pem is not that of server-cert.crt',
  ],
  [
    'the server shows a client certificate',
    (directory: string) => {
      copy(NAMES.adminCertificate, NAMES.serverCertificate)(directory)
      copy(NAMES.adminKey, NAMES.serverKey)(directory)
    },
    'the certificate server-cert.crt is not for servers: its extended key usage lacks serverAuth',
  ],
  [
    'the verifier shows agents a server certificate',
    (directory: string) => {
      copy(NAMES.serverCertificate, NAMES.verifierCertificate)(directory)
      copy(NAMES.serverKey, NAMES.verifierKey)(directory)
    },
    'the certificate verifier-client-cert.crt is not for clients: its extended key usage lacks clientAuth',
  ],
  [
    'a file is a directory',
    (directory: string) => {
      rmSync(join(directory, NAMES.serverKey))
      mkdirSync(join(directory, NAMES.serverKey))
    },
    'the TLS file server-private.pem cannot be read',
  ],
])('%s: the error is one sentence', async (_, change, sentence) => {
  expect(await sentenceAfter(change)).toBe(sentence)
})

test.each([
  ['expired', 366 * DAY, /^the certificate verifier-client-cert.crt expired on Jan /],
  ['not yet valid', -2 * DAY, /^the certificate verifier-client-cert.crt is valid only from Jan /],
])('a certificate that is %s is named with its date', async (_, later, sentence) => {
  expect(await sentenceAfter(() => undefined, NOON + later)).toMatch(sentence)
})

test('a key that every user can read is refused, until they cannot', async () => {
  const directory = await generated(openDirectory())
  chmodSync(directory, 0o755)
  const { serverKey } = tlsPlacesOf({ ...DEFAULTS, tls_dir: directory })
  load(directory)
  chmodSync(serverKey, 0o644)
  expect(() => load(directory)).toThrow(`every user of this machine can read or write ${serverKey}`)
  chmodSync(directory, 0o700)
  load(directory)
})

import { createHash, generateKeyPairSync, X509Certificate } from 'node:crypto'
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { seededRandom } from '../dev/testing/seeded-random.ts'
import { NOON } from '../dev/testing/settable-clock.ts'
import { temporaryDirectory } from '../dev/testing/temporary-directory.ts'
import { agentId } from './agent-id.ts'
import { loadServerCertificate } from './load-server-certificate.ts'
import { loadNodeKey } from './node-key.ts'
import { ensureOwnDirectory, writeOwnFile } from './own-files.ts'

const { publicKey: ekKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
const DAY = 86_400_000

function idOf(setting: string, file = join(temporaryDirectory(), 'uuid')): string {
  return agentId({ setting, ekKey, file, random: seededRandom() })
}

test('a generated id is the same at every start', () => {
  const file = join(temporaryDirectory(), 'uuid')
  const id = idOf('generate', file)
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(agentId({ setting: 'generate', ekKey, file, random: seededRandom('other') })).toBe(id)
})

test('hash_ek is the SHA-256 of the endorsement key in PEM', () => {
  const pem = ekKey.export({ type: 'spki', format: 'pem' })
  expect(idOf('hash_ek')).toBe(createHash('sha256').update(pem).digest('hex'))
})

test('an id that no registrar takes is refused at the start', () => {
  expect(idOf('agent-1')).toBe('agent-1')
  expect(() => idOf('../a')).toThrow('the agent cannot be called "../a"')
})

test('the node key is made once, and is its owner’s alone', async () => {
  const file = join(temporaryDirectory(), 'key.pem')
  const { pem } = await loadNodeKey(file)
  expect((await loadNodeKey(file)).pem).toBe(pem)
  expect(pem).toMatch(/^-----BEGIN PUBLIC KEY-----\n[\s\S]+\n-----END PUBLIC KEY-----\n$/)
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('a key of another kind is refused', async () => {
  const file = join(temporaryDirectory(), 'key.pem')
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  await expect(loadNodeKey(file)).rejects.toThrow('no private key of RSA-2048')
})

const certificate = (directory: string, change: object = {}) =>
  loadServerCertificate({
    ...{ directory, agentId: 'a', contactIp: '127.0.0.2', now: NOON },
    ...{ certificate: 'default', key: 'default', ...change },
  })

test('the agent’s certificate is kept, until it ends or names something else', async () => {
  const directory = temporaryDirectory()
  const first = await certificate(directory)
  expect(await certificate(directory)).toEqual(first)
  expect(await certificate(directory, { now: NOON + 300 * DAY })).toEqual(first)
  const second = await certificate(directory, { now: NOON + 340 * DAY })
  expect(second).not.toEqual(first)
  const third = await certificate(directory, { now: NOON + 340 * DAY, contactIp: 'host.example' })
  expect(new X509Certificate(third.certificate).subjectAltName).toContain('DNS:host.example')
})

test('files that were made elsewhere are used unchanged', async () => {
  const made = temporaryDirectory()
  const { certificate: pem } = await certificate(made)
  const named = {
    certificate: join(made, 'server-cert.crt'),
    key: join(made, 'server-private.pem'),
  }
  expect((await certificate(temporaryDirectory(), named)).certificate).toBe(pem)
  expect(readFileSync(named.certificate, 'utf8')).toBe(pem)
})

test('a directory that others may enter is closed, and a link is not followed', () => {
  const open = join(temporaryDirectory(), 'open')
  mkdirSync(open)
  chmodSync(open, 0o755)
  ensureOwnDirectory(open)
  expect(statSync(open).mode & 0o777).toBe(0o700)
  const link = join(temporaryDirectory(), 'link')
  symlinkSync(open, link)
  expect(() => ensureOwnDirectory(link)).toThrow('is no directory')
})

test('a file that cannot be written is an error, and leaves no partial file', () => {
  const directory = temporaryDirectory()
  mkdirSync(join(directory, 'taken'))
  const write = (name: string) => () => writeOwnFile(join(directory, name), 'content')
  expect(write('taken')).toThrow(
    expect.objectContaining({
      sentence: `the file ${join(directory, 'taken')} cannot be written (EISDIR)`,
      next: expect.stringContaining('state_dir'),
    }),
  )
  expect(readdirSync(directory)).toEqual(['taken'])
  write('free')()
  expect(readdirSync(directory)).toEqual(['free', 'taken'])
})

import { constants, createPrivateKey, sign, X509Certificate } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { entryChecks, readArchive } from '../../../agent/payload/read-archive.ts'
import { verifyRevocation } from '../../../agent/revocation/verify-revocation.ts'
import { temporaryDirectory } from '../../../dev/testing/temporary-directory.ts'
import { CLIENT_AUTH, createAuthority } from '../../../pki/authority.ts'
import { parseTenantOptions } from '../../parse-options.ts'
import { TENANT_PARTS } from '../../tenant-parts.ts'
import { file, ORDER, scene } from '../../testing/add-scene.ts'
import { AGENT_ID } from '../../testing/stub-agent.ts'
import { makeCertificatePackage } from './certificate-package.ts'

const servers = await createAuthority('servers', Date.now())
const identity = await servers.issue({ commonName: 'client', usage: CLIENT_AUTH })
const tenant = { parts: TENANT_PARTS, files: { ca: servers.certificate, identity } }

const nowhere = () => join(temporaryDirectory(), 'ca')

function madeBy(...words: string[]) {
  const options = parseTenantOptions(['add', ...words])?.options
  if (options === undefined) throw new Error('help was asked for')
  return makeCertificatePackage(options, AGENT_ID, tenant)
}

/** A package, and its files by their names. */
async function opened(...words: string[]) {
  const made = await madeBy(...words)
  if (made === undefined) throw new Error('no package was made')
  const limits = { size: 100_000, entries: 10 }
  const entries = await readArchive(made.payload, entryChecks, limits)
  const texts = entries.map(({ path, content }) => [path, Buffer.from(content).toString()] as const)
  return { ...made, files: new Map(texts) }
}

/** A directory with one file. */
function holding(name: string, content = ''): string {
  const directory = temporaryDirectory()
  writeFileSync(join(directory, name), content)
  return directory
}

const CERTIFICATE = `${AGENT_ID}-cert.crt`
const NOTIFIER = 'RevocationNotifier-cert.crt'

test('a package holds a client certificate for the agent, its key, the CA, and the included files', async () => {
  const script = holding('autorun.sh', 'exit 0\n')
  const { files, metadata } = await opened('--cert', nowhere(), '--include', script)
  const own = ['cacert.crt', CERTIFICATE, `${AGENT_ID}-private.pem`, NOTIFIER]
  expect([...files.keys()]).toEqual([...own, 'autorun.sh'])
  const [ca, made] = ['cacert.crt', CERTIFICATE].map((name) => certificateOf(files, name))
  expect(made?.verify(ca?.publicKey ?? made.publicKey)).toBe(true)
  const key = createPrivateKey(files.get(`${AGENT_ID}-private.pem`) ?? '')
  expect(made).toMatchObject({ subject: `CN=${AGENT_ID}`, keyUsage: ['1.3.6.1.5.5.7.3.2'] })
  expect(made?.checkPrivateKey(key)).toBe(true)
  const { serialNumber: cert_serial } = made ?? {}
  expect(JSON.parse(metadata)).toEqual({ cert_serial, subject: `CN=${AGENT_ID}` })
  expect(files.get('autorun.sh')).toBe('exit 0\n')
})

function certificateOf(files: ReadonlyMap<string, string>, name: string): X509Certificate {
  return new X509Certificate(files.get(name) ?? '')
}

test('notices of one agent are taken by another of the same CA, and by none of another CA', async () => {
  const directory = nowhere()
  const [one, other] = [await opened('--cert', directory), await opened('--cert', directory)]
  const stranger = await opened('--cert', nowhere())
  const signature = signed('{"a":1}', one.revocationKey)
  const verdict = ({ files }: typeof one) =>
    verifyRevocation(files.get(NOTIFIER), { msg: '{"a":1}', signature }).ok
  expect([one, other, stranger].map(verdict)).toEqual([true, true, false])
  expect(other.files.get(CERTIFICATE)).not.toBe(one.files.get(CERTIFICATE))
})

function signed(text: string, key: string): Uint8Array {
  const padding = constants.RSA_PKCS1_PSS_PADDING
  const saltLength = constants.RSA_PSS_SALTLEN_MAX_SIGN
  return sign('sha256', Buffer.from(text), { key, padding, saltLength })
}

test('only the owner can read the keys of the CA', async () => {
  const directory = nowhere()
  await madeBy('--cert', directory)
  const keys = readdirSync(directory).filter((name) => name.endsWith('.pem'))
  expect(keys).toEqual(['RevocationNotifier-private.pem', 'ca-private.pem'])
  for (const key of keys) expect(statSync(join(directory, key)).mode & 0o077).toBe(0)
})

test('without --cert no package is made', async () => {
  expect(await madeBy()).toBeUndefined()
})

const withDirectory = () => {
  const directory = temporaryDirectory()
  mkdirSync(join(directory, 'sub'))
  return directory
}

test.each<[string, () => readonly string[], RegExp]>([
  ['--file', () => ['-f', 'x'], /--cert DIR and --file FILE are given/],
  ['--key', () => ['-k', 'x'], /--cert DIR and --key FILE are given/],
  ['--payload', () => ['-p', 'x'], /--cert DIR and --payload FILE are given/],
  ['--push-model', () => ['--push-model'], /--cert DIR and --push-model are given/],
  ['a missing directory', () => ['--include', '/none'], /cannot be read as a directory \(ENOENT\)/],
  ['a file to include', () => ['--include', file('x')], /as a directory \(ENOTDIR\)/],
  ['a directory within', () => ['--include', withDirectory()], /sub is not a file/],
  [
    'a name that agents do not take',
    () => ['--include', holding('n (1).txt')],
    /"n \(1\)\.txt" is no/,
  ],
  ['a name that is taken', () => ['--include', holding('cacert.crt')], /in every package/],
])('with %s neither a package nor its CA is made', async (_, words, sentence) => {
  const directory = nowhere()
  await expect(madeBy('--cert', directory, ...words())).rejects.toThrow(sentence)
  expect(existsSync(directory)).toBe(false)
})

test.each<[string, () => string | Promise<string>, RegExp]>([
  ['makes administrators', ofAdministrators, /would make the agent an administrator/],
  ['has files of another origin', () => holding('a'), /has a but no cacert\.crt/],
  ['lost the key for notices', withoutNotifier, /no RevocationNotifier-private\.pem/],
])('a directory that %s is no CA of packages', async (_, directory, sentence) => {
  await expect(madeBy('--cert', await directory())).rejects.toThrow(sentence)
})

function ofAdministrators(): string {
  const directory = holding('cacert.crt', servers.certificate)
  writeFileSync(join(directory, 'ca-private.pem'), servers.key)
  return directory
}

async function withoutNotifier(): Promise<string> {
  const directory = nowhere()
  await madeBy('--cert', directory)
  rmSync(join(directory, 'RevocationNotifier-private.pem'))
  return directory
}

test('files that are to be included in no package are refused', async () => {
  await expect(madeBy('--include', holding('a'))).rejects.toThrow('without a package')
})

test('an agent is added with its package, and the verifier gets its certificate', async () => {
  const { agent, say, status } = await scene()
  const said = await say('add', '--cert', nowhere(), '--include', holding('a.txt', 'included'))
  expect(said).toMatchObject({ code: 0 })
  expect(agent.asked).toEqual(ORDER)
  expect(agent.opened).toMatchObject({ tagIsRight: true })
  expect(agent.opened.payload).toMatch(/^PK.*included/s)
  expect(JSON.parse(String((await status()).meta_data))).toMatchObject({
    subject: `CN=${AGENT_ID}`,
  })
  expect(said.out + said.err).not.toContain('PRIVATE')
})

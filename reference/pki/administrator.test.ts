// Under Node 20, toLegacyObject leaves its thread without TLS for good if TLS was not loaded before.
import 'node:tls'
import { execFileSync } from 'node:child_process'
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { NOON } from '../dev/testing/settable-clock.ts'
import { temporaryDirectory } from '../dev/testing/temporary-directory.ts'
import { makeAdministrator } from './administrator.ts'
import { CLIENT_AUTH } from './authority.ts'
import { ensureTlsDirectory } from './tls-directory.ts'

const DAY = 86_400_000

async function generated(): Promise<string> {
  const directory = join(temporaryDirectory(), 'cv_ca')
  await ensureTlsDirectory({ directory, hosts: [], now: NOON })
  return directory
}

function make(
  directory: string,
  name: string,
  { days = 365, file = 'alice.tar', now = NOON } = {},
) {
  return makeAdministrator({ directory, name, days, now, package: join(directory, '..', file) })
}

function unpack(directory: string, file = 'alice.tar'): string {
  const out = temporaryDirectory()
  execFileSync('tar', ['-xf', join(directory, '..', file), '-C', out])
  return out
}

test('a package holds a certificate of the CA for that name alone, its key, and the CA', async () => {
  const directory = await generated()
  const { folder, files } = await make(directory, '#0c, "Alice"+O=x', { days: 30 })
  const out = join(unpack(directory), folder)
  expect(readdirSync(out).sort()).toEqual([...files].sort())
  const [ca, leaf] = ['cacert.crt', 'client-cert.crt'].map(
    (name) => new X509Certificate(readFileSync(join(out, name))),
  )
  const key = createPrivateKey(readFileSync(join(out, 'client-private.pem')))
  expect(readFileSync(join(out, 'cacert.crt'))).toEqual(readFileSync(join(directory, 'cacert.crt')))
  expect(leaf?.toLegacyObject().subject).toEqual({ CN: '#0c, "Alice"+O=x' })
  expect(ca && leaf?.verify(ca.publicKey)).toBe(true)
  expect(leaf?.checkPrivateKey(key)).toBe(true)
  expect([leaf?.keyUsage, leaf?.ca]).toEqual([[CLIENT_AUTH], false])
  expect(Date.parse(leaf?.validTo ?? '')).toBe(Math.floor((NOON + 30 * DAY) / 1000) * 1000)
})

test('package and key are for their owner only', async () => {
  const directory = await generated()
  const { folder } = await make(directory, 'alice')
  expect(statSync(join(directory, '..', 'alice.tar')).mode & 0o777).toBe(0o600)
  const key = join(unpack(directory), folder, 'client-private.pem')
  expect(statSync(key).mode & 0o777).toBe(0o600)
})

test('no key of an administrator stays in the TLS directory', async () => {
  const directory = await generated()
  const before = readdirSync(directory)
  await make(directory, 'alice')
  const [added = '', ...more] = readdirSync(directory).filter((name) => !before.includes(name))
  expect(more).toEqual([])
  expect(readFileSync(join(directory, added), 'utf8')).not.toContain('PRIVATE')
})

test.each(['client', 'alice'])('the name %s is not given twice', async (name) => {
  const directory = await generated()
  await make(directory, 'alice')
  const again = make(directory, name, { file: 'again.tar' })
  await expect(again).rejects.toMatchObject({
    sentence: expect.stringContaining(`there is an administrator called ${name} already`),
  })
  expect(existsSync(join(directory, '..', 'again.tar'))).toBe(false)
})

test('a package that is there is not overwritten, and the name stays free', async () => {
  const directory = await generated()
  const file = join(directory, '..', 'alice.tar')
  writeFileSync(file, 'mine')
  await expect(make(directory, 'alice')).rejects.toMatchObject({
    sentence: `${file} is there already`,
  })
  expect(readFileSync(file, 'utf8')).toBe('mine')
  await make(directory, 'alice', { file: 'other.tar' })
})

test.each([
  ['an empty name', ''],
  ['blanks', '  '],
  ['a blank at the end', 'alice '],
  ['a newline', 'alice\nCN=root'],
  ['a NUL', 'alice\0'],
  ['a mark that turns the writing direction', 'alice\u202e'],
  ['a name that is too long', 'a'.repeat(65)],
])('%s is no name', async (_, name) => {
  const directory = await generated()
  await expect(make(directory, name)).rejects.toMatchObject({
    next: 'give a name of 1 to 64 characters without control characters',
  })
  expect(existsSync(join(directory, '..', 'alice.tar'))).toBe(false)
})

test('the longest name is one', async () => {
  const directory = await generated()
  await make(directory, 'ä'.repeat(64))
})

test('without the key of the CA nothing is issued', async () => {
  const directory = await generated()
  rmSync(join(directory, 'ca-private.pem'))
  await expect(make(directory, 'alice')).rejects.toMatchObject({
    sentence: `the TLS file ${join(directory, 'ca-private.pem')} is missing`,
  })
})

test('a certificate ends no later than its CA', async () => {
  const directory = await generated()
  const { folder } = await make(directory, 'alice', { days: 3650, now: NOON + 100 * DAY })
  const out = join(unpack(directory), folder)
  const [ca, leaf] = ['cacert.crt', 'client-cert.crt'].map(
    (name) => new X509Certificate(readFileSync(join(out, name))),
  )
  expect(leaf?.validTo).toBe(ca?.validTo)
})

test('tar reads an archive to the last byte, for files of any length', async () => {
  const directory = await generated()
  const { folder } = await make(directory, 'alice')
  const listed = execFileSync('tar', ['-tvf', join(directory, '..', 'alice.tar')], {
    encoding: 'utf8',
  })
  expect(listed).toContain(`${folder}/client-private.pem`)
  expect(listed).toContain('2026-01-02')
  expect(statSync(join(directory, '..', 'alice.tar')).size % 512).toBe(0)
})

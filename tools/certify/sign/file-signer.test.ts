import { generateKeyPairSync, verify } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { fileSigner } from './file-signer.ts'

const directory = mkdtempSync(join(tmpdir(), 'assay-key-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const pair = generateKeyPairSync('ed25519')
const PEM = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

function keyFile(text: string, mode = 0o600): string {
  const file = join(directory, 'runner.pem')
  writeFileSync(file, text)
  chmodSync(file, mode)
  return file
}

/** The refusal of a file, without any part of its text. */
function refusalOf(text: string, mode?: number): { sentence: string; next: string } {
  const file = keyFile(text, mode)
  try {
    fileSigner(file)
  } catch (error) {
    expect(JSON.stringify(error)).not.toContain(text.split('\n')[1])
    return error as { sentence: string; next: string }
  }
  throw new Error('the key was accepted')
}

test('a key in a file that its owner alone can read signs', async () => {
  const { how, publicKey, sign } = fileSigner(keyFile(PEM))
  const message = Buffer.from('message')
  expect(how).toBe('Ed25519, key in a file')
  expect(verify(null, message, publicKey, await sign(message))).toBe(true)
})

test('a key that every user can read is refused, unless its directory is closed', () => {
  chmodSync(directory, 0o755)
  expect(refusalOf(PEM, 0o644)).toMatchObject({
    sentence: expect.stringMatching(/^every user of this machine can read or write .*runner.pem/),
    next: expect.stringContaining('chmod o-rwx'),
  })
  expect(fileSigner(keyFile(PEM, 0o640)).how).toContain('Ed25519')
  chmodSync(directory, 0o700)
  expect(fileSigner(keyFile(PEM, 0o644)).how).toContain('Ed25519')
})

const rsa = (modulusLength: number) =>
  generateKeyPairSync('rsa', { modulusLength })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString()

test.each([
  ['a public key', pair.publicKey.export({ type: 'spki', format: 'pem' }).toString(), 'no private'],
  ['another text', 'words\nsecret words\n', 'holds no private key in PEM'],
  ['an RSA key of 1024 bits', rsa(1024), 'no certificate is signed with'],
  [
    'a key of another curve',
    generateKeyPairSync('ec', { namedCurve: 'secp256k1' })
      .privateKey.export({ type: 'pkcs8', format: 'pem' })
      .toString(),
    'no certificate is signed with',
  ],
  [
    'an encrypted key',
    pair.privateKey
      .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'p' })
      .toString(),
    'is encrypted',
  ],
])('%s is refused', (_what, text, says) => {
  expect(refusalOf(text).sentence).toContain(says)
})

test('an RSA key of 2048 bits signs, and a missing file is refused', () => {
  expect(fileSigner(keyFile(rsa(2048))).how).toContain('RSASSA-PKCS1-v1_5 2048')
  expect(() => fileSigner(join(directory, 'none.pem'))).toThrow(
    expect.objectContaining({ sentence: expect.stringContaining('cannot be read (ENOENT)') }),
  )
})

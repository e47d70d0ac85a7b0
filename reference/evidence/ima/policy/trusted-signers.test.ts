import { execFileSync } from 'node:child_process'
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FILE, type FileSigning, signedContent, signFile } from '../../testing/sign-file.ts'
import type { ImaContent } from '../list/fields.ts'
import { keyIdOf } from '../measured-key.ts'
import { TrustedSigners } from './trusted-signers.ts'

const pairs = {
  rsa: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  'P-256': generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  'P-384': generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  'P-521': generateKeyPairSync('ec', { namedCurve: 'P-521' }),
}
const other = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ID = 0x12345678

function signersOf(key: KeyObject, id = ID): TrustedSigners {
  return new TrustedSigners(new Map([[id, [key]]]))
}

/** The verdict on a file with this signature, where the key is trusted. */
function verdictFor(signing: Partial<FileSigning>, change: Partial<ImaContent> = {}) {
  const { privateKey, publicKey } = pairs.rsa
  const signature = signFile({ key: privateKey, keyId: ID, ...signing })
  return signersOf(publicKey).verify(signedContent(signature, signing, change), signature)
}

describe.each(Object.entries(pairs))('%s', (_, { privateKey, publicKey }) => {
  const HASHES = ['sha1', 'sha224', 'sha256', 'sha384', 'sha512']

  test.each(HASHES)('a signature with %s is good, and over another file it is not', (hash) => {
    const signature = signFile({ key: privateKey, keyId: ID, hash })
    const signers = signersOf(publicKey)
    expect(signers.verify(signedContent(signature, { hash }), signature)).toEqual({ kind: 'good' })
    const another = signedContent(signature, { hash, file: Buffer.from('something else') })
    expect(signers.verify(another, signature)).toEqual({
      kind: 'bad',
      why: 'the key 12345678 did not sign this digest',
    })
  })

  test('no flipped bit of a signature stays good', () => {
    const signature = signFile({ key: privateKey, keyId: ID })
    const signers = signersOf(publicKey)
    fc.assert(
      fc.property(fc.nat(signature.length * 8 - 1), (bit) => {
        const flipped = signature.slice()
        flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7))
        expect(signers.verify(signedContent(flipped), flipped).kind).not.toBe('good')
      }),
      { numRuns: 40 },
    )
  })
})

test('a signature by another key of the same id is bad', () => {
  expect(verdictFor({})).toEqual({ kind: 'good' })
  expect(verdictFor({ key: other.privateKey })).toMatchObject({ kind: 'bad' })
})

test('the verdict on a signature by an unknown key says so', () => {
  expect(verdictFor({ keyId: 1 })).toEqual({
    kind: 'unknown',
    why: 'no key with the id 00000001 is trusted',
  })
})

test.each<[string, Partial<FileSigning>, Partial<ImaContent>, string]>([
  ['version 1', { version: 1 }, {}, 'type 3 of version 1 is not verified'],
  ['version 4', { version: 4 }, {}, 'type 3 of version 4 is not verified'],
  ['type 4, which is a digest', { type: 4 }, {}, 'type 4 of version 2 is not verified'],
  ['type 5 of EVM', { type: 5 }, {}, '5 signs metadata, not the file'],
  ['type 6 of version 2', { type: 6 }, { digestType: 'verity' }, 'type 6 of version 2 is not'],
  ['a digest of fs-verity in version 2', {}, { digestType: 'verity' }, '3 does not sign a digest'],
  [
    'a digest of fs-verity by type 3',
    { version: 3 },
    { digestType: 'verity' },
    '3 does not sign a digest of type verity',
  ],
  [
    'a digest of a whole file by type 6',
    { version: 3, type: 6 },
    { digestType: 'ima' },
    '6 does not sign a digest of type ima',
  ],
  ['a digest without type by type 6', { version: 3, type: 6 }, {}, '6 does not sign a digest of'],
  ['MD5', { hash: 'md5' }, {}, 'a digest of md5 is not verified by signature'],
  [
    'another hash than that of the digest',
    { hash: 'sha512' },
    { digest: signedContent(new Uint8Array()).digest },
    'security.ima.hash_algo at byte 2: 6 is not that of sha256, which is 4',
  ],
  ['a length that is too long', { size: 257 }, {}, 'security.ima.sig at byte 9: needs 257 byte(s)'],
  ['a length that is too short', { size: 255 }, {}, 'security.ima at byte 264: 1 byte(s) left'],
  ['a length in little endian', { size: 1 }, {}, 'security.ima at byte 10: 255 byte(s) left over'],
])(
  'a signature with %s is not checked, and the verdict has the reason',
  (_, signing, change, why) => {
    const verdict = verdictFor(signing, change)
    expect(verdict).toMatchObject({ kind: 'unknown', why: expect.stringContaining(why) })
  },
)

test.each<[string, Partial<FileSigning>, Partial<ImaContent>]>([
  ['a whole file in version 3', { version: 3 }, {}],
  ['a whole file with its type in version 3', { version: 3 }, { digestType: 'ima' }],
  ['a whole file with its type in version 2', {}, { digestType: 'ima' }],
  ['an fs-verity tree in version 3', { version: 3, type: 6 }, { digestType: 'verity' }],
])('a signature of %s is good, and in the other version it is bad', (_, signing, change) => {
  expect(verdictFor(signing, change)).toEqual({ kind: 'good' })
  const over = signing.version === 3 ? { over: FILE } : { over: Buffer.of(3, 4) }
  expect(verdictFor({ ...signing, ...over }, change)).toMatchObject({ kind: 'bad' })
})

test('every truncated signature is reported as malformed', () => {
  const signature = signFile({ key: pairs['P-256'].privateKey, keyId: ID })
  const signers = signersOf(pairs['P-256'].publicKey)
  for (let length = 0; length < signature.length; length++) {
    const cut = signature.subarray(0, length)
    expect(signers.verify(signedContent(cut), cut)).toMatchObject({
      kind: 'unknown',
      why: expect.stringMatching(/^security\.ima\.\w+ at byte \d+: needs/),
    })
  }
})

test('bytes after the digest inside an RSA signature are not skipped', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const longer = signFile({ key: privateKey, keyId: ID, hash: 'sha512' })
  const content = signedContent(longer, { hash: 'sha512' })
  const cut = { ...content.digest, hex: content.digest.hex.slice(0, 64), algorithm: 'sha256' }
  const relabelled = longer.slice()
  relabelled[2] = 4
  const verdict = signersOf(publicKey).verify({ ...content, digest: cut }, relabelled)
  expect(verdict).toMatchObject({ kind: 'bad' })
})

test('an RSA signature has the length of its key, also when it begins with zeros', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
  const signers = signersOf(publicKey)
  for (let number = 0; ; number++) {
    const file = Buffer.from(`file ${number}`)
    const sig = sign('sha256', file, privateKey)
    if (sig[0] !== 0) continue
    const [whole, cut] = [sig, sig.subarray(1)].map((each) =>
      signFile({ key: privateKey, keyId: ID, file, sig: each }),
    )
    const content = signedContent(new Uint8Array(), { file })
    expect(signers.verify(content, whole ?? sig).kind).toBe('good')
    expect(signers.verify(content, cut ?? sig).kind).toBe('bad')
    return
  }
})

test('a signature that is met again costs nothing', () => {
  const signers = signersOf(pairs.rsa.publicKey)
  const signature = signFile({ key: pairs.rsa.privateKey, keyId: ID })
  for (let time = 0; time < 5; time++) {
    expect(signers.verify(signedContent(signature), signature)).toEqual({ kind: 'good' })
    expect(signers.work).toBe(1)
  }
})

test('after the work of one list is spent, further signatures are not checked', () => {
  const { privateKey, publicKey } = pairs.rsa
  const signers = new TrustedSigners(new Map([[ID, [publicKey]]]), 3)
  const files = [0, 1, 2, 3, 4].map((each) => Buffer.from(`file ${each}`))
  const kinds = files.map((file) => {
    const signature = signFile({ key: privateKey, keyId: ID, file })
    return signers.verify(signedContent(signature, { file }), signature).kind
  })
  expect(kinds).toEqual(['good', 'good', 'good', 'unknown', 'unknown'])
  expect(signers.work).toBe(3)
})

test('a signature by a key that is learned later is good from then on', () => {
  const { privateKey, publicKey } = pairs['P-256']
  const signers = signersOf(pairs.rsa.publicKey)
  const signature = signFile({ key: privateKey, keyId: ID })
  expect(signers.verify(signedContent(signature), signature).kind).toBe('bad')
  signers.learn(ID, publicKey)
  expect(signers.verify(signedContent(signature), signature).kind).toBe('good')
})

test('who trusts no key looks at no signature', () => {
  const signature = signFile({ key: pairs.rsa.privateKey, keyId: ID })
  const signers = new TrustedSigners()
  expect(signers.verify(signedContent(signature), signature)).toEqual({
    kind: 'unknown',
    why: 'no key is trusted',
  })
  expect(signers.work).toBe(0)
})

const evmctl = canRun('evmctl')
const WHY = evmctl ? '' : ' (skipped: no evmctl here)'

function canRun(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** `security.ima` of a file as evmctl writes it. */
function evmctlSignature(key: KeyObject, hash: string): Uint8Array {
  const directory = mkdtempSync(join(tmpdir(), 'assay-evmctl-'))
  try {
    writeFileSync(join(directory, 'key.pem'), key.export({ format: 'pem', type: 'pkcs8' }))
    writeFileSync(join(directory, 'file'), FILE)
    const words = ['ima_sign', '--sigfile', '--hashalgo', hash, '--key', 'key.pem', 'file']
    execFileSync('evmctl', words, { cwd: directory, stdio: 'ignore' })
    return new Uint8Array(readFileSync(join(directory, 'file.sig')))
  } finally {
    rmSync(directory, { recursive: true })
  }
}

test.skipIf(!evmctl).each(['rsa', 'P-256', 'P-384'] as const)(
  `what evmctl signs with a key of %s is good, under the id that it gives the key${WHY}`,
  (kind) => {
    const { privateKey, publicKey } = pairs[kind]
    const signature = evmctlSignature(privateKey, 'sha256')
    const signers = signersOf(publicKey, keyIdOf(publicKey))
    expect(signers.verify(signedContent(signature), signature)).toEqual({ kind: 'good' })
  },
)

import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  decryptHalf,
  deriveKey,
  encryptHalf,
  proofText,
  tagText,
  USUAL_FORMS,
} from './key-forms.ts'

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const half = new Uint8Array(32).map((_, at) => at)
const PADDINGS = ['oaep', 'oaep-sha256', 'pkcs1'] as const

test.each(PADDINGS.flatMap((one) => PADDINGS.map((other) => [one, other] as const)))(
  'a half with the padding %s is read as %s only if they are the same',
  (one, other) => {
    const encrypted = encryptHalf(
      { ...USUAL_FORMS, padding: one },
      createPublicKey(privateKey),
      half,
    )
    const read = () => decryptHalf({ ...USUAL_FORMS, padding: other }, privateKey, encrypted)
    if (one === other) expect(read()).toEqual(half)
    else expect(read).toThrow()
  },
)

// printf '%s' 'the text' | openssl dgst -sha384 -mac HMAC -macopt hexkey:000102…1f
const SHA384 =
  '64fc0f5459d43b9c47639a7b58df612e1386e5b1036a7d4b89abfb2912a13a8adc705e611be06b7b4348541e172a849f'
const SHA256 = '8de57011fb80a1e4a8fa9e6a045f23d886240067e24433d3da7c15800dcd226b'

test('tags and proofs are HMACs with K in the text of the form', () => {
  const hex = tagText(USUAL_FORMS, half, 'the text')
  expect(hex).toBe(SHA384)
  expect(tagText({ ...USUAL_FORMS, tag: 'base64' }, half, 'the text')).toBe(
    Buffer.from(hex, 'hex').toString('base64'),
  )
  expect(proofText(USUAL_FORMS, half, 'the text')).toBe(hex)
  expect(proofText({ ...USUAL_FORMS, proof: 'sha256-hex' }, half, 'the text')).toBe(SHA256)
})

// Of the bytes 0 to 31 and 31 to 0, by hashlib and hmac of Python.
test.each([
  ['xor', '1f'.repeat(32)],
  ['sha256', '6ec3f6b6eb0cda7632175568651b05b74fa73fe09476aef4c7bad10557072d5d'],
  ['hkdf-sha256', '150c530774707f8b3238b3f575eaca443d7a6f1d335a7f54edf1aa39f4340327'],
] as const)('K by %s', (derivation, expected) => {
  const k = deriveKey({ ...USUAL_FORMS, derivation }, half, half.toReversed())
  expect(Buffer.from(k).toString('hex')).toBe(expected)
})

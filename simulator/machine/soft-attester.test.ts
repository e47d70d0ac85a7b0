import { expect, test } from 'vitest'
import { TPM_ALG } from '../tpm/constants.ts'
import { keyObjectOf, parseTpm2bPublic } from '../tpm/public.ts'
import { parseSignature, verifySignature } from '../tpm/signature.ts'
import { filled, text } from '../tpm/write.ts'
import { eccAttester, rsaAttester } from './soft-attester.ts'

const MESSAGE = text('no TPM would say this')
const rsa = rsaAttester('test')
const pss = rsaAttester('test', TPM_ALG.RSAPSS)
const ecc = eccAttester('test')

test.each([
  ['P-256', ecc],
  ['RSASSA', rsa],
  ['RSAPSS', pss],
])(
  'a signature of the soft %s key verifies under its public area, over its message only',
  (_, attester) => {
    const key = keyObjectOf(parseTpm2bPublic(attester.public))
    const signature = parseSignature(attester.sign(MESSAGE))
    expect(verifySignature(MESSAGE, signature, key)).toBe(true)
    expect(verifySignature(text('another message'), signature, key)).toBe(false)
  },
)

test.each([0, 32, 222])('an RSAPSS signature over a salt of %i bytes verifies', (length) => {
  const key = keyObjectOf(pss.area)
  const sig = pss.pss(MESSAGE, filled(length, 7))
  const fields = { kind: 'rsa', sigAlg: TPM_ALG.RSAPSS, hash: TPM_ALG.SHA256 } as const
  expect(verifySignature(MESSAGE, { ...fields, sig, leftover: filled(0) }, key)).toBe(true)
})

test('the same label gives the same keys and signatures, another label gives others', () => {
  expect(eccAttester('test').sign(MESSAGE)).toEqual(ecc.sign(MESSAGE))
  expect(rsaAttester('test').sign(MESSAGE)).toEqual(rsa.sign(MESSAGE))
  expect(eccAttester('other').public).not.toEqual(ecc.public)
})

test('signatures with other hashes name them and verify', () => {
  for (const bank of ['sha1', 'sha384'] as const) {
    const signature = parseSignature(ecc.sign(MESSAGE, bank))
    expect(verifySignature(MESSAGE, signature, keyObjectOf(ecc.area))).toBe(true)
  }
})

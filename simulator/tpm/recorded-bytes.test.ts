import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { FULL_BOOT, fixture } from '../vectors/fixtures.ts'
import { parseAttest, writeAttest } from './attest.ts'
import { TPM_ST } from './constants.ts'
import { Cursor } from './cursor.ts'
import { type Bank, bankOf, digest } from './hash.ts'
import { parsePcrBlob, writePcrBlob } from './pcr-blob.ts'
import { keyObjectOf, nameOf, parseTpm2bPublic, pemOf, writePublic } from './public.ts'
import { parseSignature, verifySignature, writeSignature } from './signature.ts'
import { cat, fromHex, text, toHex } from './write.ts'

const FILES = readdirSync(FULL_BOOT)
const named = (suffix: string) =>
  FILES.filter((file) => file.endsWith(suffix)).map((file) => file.slice(0, -suffix.length))

/** Name of the recorded attestation key that signed a file. */
function signerOf(stem: string): string {
  if (stem.startsWith('ecdsa256')) return 'ak_ecc256'
  if (stem.startsWith('ecdsa384')) return 'ak_ecc384'
  return stem.startsWith('rsapss') ? 'ak_rsapss' : 'ak_rsa'
}

/** The hash of a recorded signature, which is also that of the quote's pcrDigest. */
function signatureHash(stem: string): Bank {
  const signature = parseSignature(fixture(`${stem}.sig`))
  const hash = signature.kind === 'opaque' ? undefined : bankOf(signature.hash)
  if (hash === undefined) throw new Error(`${stem}.sig has no known hash`)
  return hash
}

test('the recorded boot has attestations, PCR parts and keys', () => {
  expect([named('.attest').length, named('.pcrs').length, named('.name').length]).toEqual([
    12, 10, 4,
  ])
})

test.each(named('.attest'))('%s.attest: survives a round trip unchanged', (stem) => {
  const bytes = fixture(`${stem}.attest`)
  const attest = parseAttest(bytes)
  expect(attest.leftover).toHaveLength(0)
  expect(writeAttest(attest)).toEqual(bytes)
})

test.each(named('.sig'))('%s.sig: survives a round trip unchanged', (stem) => {
  const bytes = fixture(`${stem}.sig`)
  expect(writeSignature(parseSignature(bytes))).toEqual(bytes)
})

test.each(named('.attest'))('%s: verifies with its key, and not with one bit changed', (stem) => {
  const key = keyObjectOf(parseTpm2bPublic(fixture(`${signerOf(stem)}.tpm2b_public`)))
  const message = fixture(`${stem}.attest`)
  const signature = parseSignature(fixture(`${stem}.sig`))
  expect(verifySignature(message, signature, key)).toBe(true)
  message[7] = (message[7] ?? 0) ^ 1
  expect(verifySignature(message, signature, key)).toBe(false)
})

test.each(named('.tpm2b_public'))('%s.tpm2b_public: survives a round trip unchanged', (stem) => {
  const bytes = fixture(`${stem}.tpm2b_public`)
  expect(writePublic(parseTpm2bPublic(bytes))).toEqual(new Cursor(bytes, 'TPM2B_PUBLIC').tpm2b())
})

test.each(named('.name'))('%s: the Name and the PEM equal those of tpm2-tools', (stem) => {
  const bytes = fixture(`${stem}.tpm2b_public`)
  expect(toHex(nameOf(bytes))).toBe(toHex(fixture(`${stem}.name`)))
  expect(text(pemOf(parseTpm2bPublic(bytes)))).toEqual(fixture(`${stem}.pem`))
})

test.each(named('.pcrs'))('%s.pcrs: survives a round trip unchanged', (stem) => {
  const bytes = fixture(`${stem}.pcrs`)
  const { selections, values, leftover } = parsePcrBlob(bytes)
  expect(leftover).toHaveLength(0)
  expect(toHex(writePcrBlob(selections, values))).toBe(toHex(bytes))
})

test.each(named('.pcrs'))('%s: the quote selects and digests the PCRs of its blob', (stem) => {
  const { attested } = parseAttest(fixture(`${stem}.attest`))
  const { selections, values } = parsePcrBlob(fixture(`${stem}.pcrs`))
  expect(attested).toEqual({
    kind: 'quote',
    pcrSelect: selections,
    pcrDigest: digest(signatureHash(stem), cat(...values)),
  })
})

test('attestations of other types keep their type and content', () => {
  const certified = parseAttest(fixture('certify.attest'))
  expect(certified.type).toBe(TPM_ST.ATTEST_CERTIFY)
  expect(certified.attested).toMatchObject({ kind: 'certify', name: fixture('ak_rsa.name') })
  const timed = parseAttest(fixture('gettime.attest'))
  expect(timed.type).toBe(TPM_ST.ATTEST_TIME)
  expect(timed.attested).toMatchObject({ kind: 'time', clockInfo: timed.clockInfo })
})

test('an attestation may have any magic, any type and any leftover', () => {
  const attest = parseAttest(fixture('noqual.attest'))
  const mutateAttest = { ...attest, magic: 0, type: 0x8014, leftover: fromHex('beef') }
  const read = parseAttest(writeAttest(mutateAttest))
  expect([read.magic, read.type, read.attested.kind]).toEqual([0, 0x8014, 'opaque'])
})

import { createHash, randomBytes } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { toHex } from '../../bytes/hex.ts'
import { concat } from '../../bytes/writer.ts'
import type { Algorithms } from '../../config/algorithms.ts'
import { temporaryDirectory } from '../../dev/testing/temporary-directory.ts'
import { writePcrBlob } from '../../evidence/quote/pcr-blob.ts'
import { systemRandom } from '../../platform/random.ts'
import { hashes } from '../../tpm/algorithms.ts'
import { TPMS_ATTEST } from '../../tpm/attest.ts'
import { checkAttestationKey } from '../../tpm/check-attestation-key.ts'
import { decode } from '../../tpm/codec.ts'
import { TpmRefusal } from '../../tpm/commands/response-code.ts'
import { digestOf, extend } from '../../tpm/digest.ts'
import { makeCredential } from '../../tpm/make-credential.ts'
import { nameOf } from '../../tpm/name.ts'
import { TPM2B_PUBLIC } from '../../tpm/public.ts'
import { publicKeyOf } from '../../tpm/public-key.ts'
import { TPMT_SIGNATURE } from '../../tpm/signature.ts'
import { startSwtpm, type TestTpm } from '../../tpm/testing/swtpm.ts'
import { tpmTool } from '../../tpm/testing/tpm-tools.ts'
import { openTpm, type TpmConnection } from '../../tpm/transports/open-tpm.ts'
import { parseTcti } from '../../tpm/transports/parse-tcti.ts'
import { TpmSilent } from '../../tpm/transports/transport.ts'
import { verifySignature } from '../../tpm/verify-signature.ts'
import { type Attester, type AttesterSettings, openAttester } from './attester.ts'
import { QuoteFault } from './quote-pcrs.ts'

const RSA: Algorithms = { key: 'rsa2048', hash: 'sha256', signing: 'rsassa' }
const ECC: Algorithms = { key: 'ecc256', hash: 'sha256', signing: 'ecdsa' }
const NONCE = new TextEncoder().encode('Ab3dEfGh1jKlMnOpQrSt')
const nodeKeyDigest = digestOf(hashes.sha256, NONCE)
const ALL = Array.from({ length: 24 }, (_, pcr) => pcr)

function placeOf({ tcti }: Pick<TestTpm, 'tcti'>) {
  const place = parseTcti(tcti)
  if (place === undefined) throw new Error(`${tcti} names no TPM`)
  return place
}

const settingsOf = (file: string, algorithms = ECC): AttesterSettings => ({
  ...{ algorithms, file, random: systemRandom },
  ...{ ekHandle: undefined, hierarchyPassword: new Uint8Array() },
})
const open = (tpm: Pick<TestTpm, 'tcti'>, file: string, algorithms = ECC): Promise<Attester> =>
  openAttester(openTpm(placeOf(tpm)), settingsOf(file, algorithms))

const hexOf = (bytes: Uint8Array | undefined) => toHex(bytes ?? new Uint8Array())

async function attester(algorithms = ECC) {
  const tpm = await startSwtpm()
  const file = join(temporaryDirectory(), 'agent_data.json')
  return { tpm, file, attester: await open(tpm, file, algorithms) }
}

test.each<Algorithms>([
  RSA,
  ECC,
  { key: 'rsa2048', hash: 'sha384', signing: 'rsassa' },
  { key: 'ecc256', hash: 'sha512', signing: 'ecdsa' },
  { key: 'ecc384', hash: 'sha384', signing: 'ecdsa' },
  { key: 'ecc521', hash: 'sha256', signing: 'ecdsa' },
  { key: 'rsa3072', hash: 'sha256', signing: 'rsassa' },
])(
  'a quote with $key, $signing and $hash holds under the key, and the tools agree',
  async (algorithms) => {
    const { attester: one } = await attester(algorithms)
    const hash = hashes[algorithms.hash]
    const digest = digestOf(hash, NONCE)
    const { message, signature, pcrs } = await one.quote({
      nonce: NONCE,
      pcrs: ALL,
      nodeKeyDigest: digest,
    })
    expect(checkAttestationKey(one.akPublic)).toEqual([])
    const key = publicKeyOf(decode(TPM2B_PUBLIC, one.akPublic).contents)
    expect(verifySignature(key, decode(TPMT_SIGNATURE, signature), message)).toEqual({ ok: true })
    expect(hexOf(pcrs.get(16))).toBe(toHex(extend(hash, new Uint8Array(hash.size), digest)))

    const directory = temporaryDirectory()
    const put = (name: string, bytes: Uint8Array | string) => {
      writeFileSync(join(directory, name), bytes)
      return join(directory, name)
    }
    const files = ['-m', put('m', message), '-s', put('s', signature)]
    const pem = put('ak.pem', key.export({ type: 'spki', format: 'pem' }).toString())
    const values = put('p', writePcrBlob([{ bank: algorithms.hash, values: pcrs }]))
    const said = tpmTool('checkquote', [
      ...['-u', pem, ...files, '-f', values, '-g', algorithms.hash],
      ...['-q', toHex(NONCE)],
    ])
    expect(said).toContain(hexOf(pcrs.get(16)).toUpperCase())
    await one.close()
  },
)

test('a quote with rsapss, which the tools do not check, holds under the key', async () => {
  const { attester: one } = await attester({ ...RSA, signing: 'rsapss' })
  const { message, signature } = await one.quote({ nonce: NONCE, pcrs: [16], nodeKeyDigest })
  const key = publicKeyOf(decode(TPM2B_PUBLIC, one.akPublic).contents)
  expect(verifySignature(key, decode(TPMT_SIGNATURE, signature), message)).toEqual({ ok: true })
  await one.close()
})

test('the quote covers the nonce as received', async () => {
  const { attester: one } = await attester()
  const { message } = await one.quote({ nonce: NONCE, pcrs: [16], nodeKeyDigest })
  expect(decode(TPMS_ATTEST, message).extraData).toEqual(NONCE)
  await one.close()
})

test('a credential for both keys is opened, and one for another Name is not', async () => {
  const { attester: one } = await attester(RSA)
  const secret = randomBytes(32)
  const make = (name: Uint8Array) =>
    makeCredential({ ekPublic: one.ekPublic, name, secret, random: (n) => randomBytes(n) })
  const name = nameOf(one.akPublic)
  expect(toHex(await one.activate(make(name)))).toBe(toHex(secret))
  const other = concat(name.subarray(0, 2), createHash('sha256').digest())
  await expect(one.activate(make(other))).rejects.toThrow(TpmRefusal)
  expect(toHex(await one.activate(make(name)))).toBe(toHex(secret))
  await one.close()
})

test('the attestation key certifies itself over the given data', async () => {
  const { attester: one } = await attester()
  const { message, signature } = await one.certify(NONCE)
  const { attested, extraData } = decode(TPMS_ATTEST, message)
  expect(extraData).toEqual(NONCE)
  expect(attested).toMatchObject({ kind: 'certify', value: { name: nameOf(one.akPublic) } })
  const key = publicKeyOf(decode(TPM2B_PUBLIC, one.akPublic).contents)
  expect(verifySignature(key, decode(TPMT_SIGNATURE, signature), message)).toEqual({ ok: true })
  await one.close()
})

test('no operation leaves a key or a session in the TPM', async () => {
  const { tpm, attester: one } = await attester()
  await one.quote({ nonce: NONCE, pcrs: ALL, nodeKeyDigest })
  await one.certify(NONCE)
  await expect(one.activate(new Uint8Array(8))).rejects.toThrow()
  await one.close()
  expect(tpmTool('getcap', ['handles-transient'], tpm.tcti)).toBe('')
  expect(tpmTool('getcap', ['handles-loaded-session'], tpm.tcti)).toBe('')
})

test('the key is the same after a restart, and after the TPM was reset under a running agent', async () => {
  const { tpm, file, attester: first } = await attester()
  const { akPublic } = first
  await tpm.reset()
  const { message, signature } = await first.quote({ nonce: NONCE, pcrs: [16], nodeKeyDigest })
  const key = publicKeyOf(decode(TPM2B_PUBLIC, akPublic).contents)
  expect(verifySignature(key, decode(TPMT_SIGNATURE, signature), message)).toEqual({ ok: true })
  await first.close()
  const second = await open(tpm, file)
  expect(second.akPublic).toEqual(akPublic)
  await second.close()
})

test('a TPM that another one takes the place of for a while is served again with the key of before', async () => {
  const [home, away] = [await startSwtpm(), await startSwtpm()].map((tpm) => openTpm(placeOf(tpm)))
  let present = home
  const connection: TpmConnection = {
    transmit: (command) => (present as TpmConnection).transmit(command),
    close: async () => void (await Promise.all([home?.close(), away?.close()])),
  }
  const file = join(temporaryDirectory(), 'agent_data.json')
  const one = await openAttester(connection, settingsOf(file))
  const kept = readFileSync(file)
  present = away
  for (const use of [() => one.certify(NONCE), () => one.quote({ nonce: NONCE, pcrs: [0] })])
    await expect(use()).rejects.toThrow('does not know the attestation key any more')
  expect(readFileSync(file)).toEqual(kept)
  present = home
  const { message, signature } = await one.certify(NONCE)
  const key = publicKeyOf(decode(TPM2B_PUBLIC, one.akPublic).contents)
  expect(verifySignature(key, decode(TPMT_SIGNATURE, signature), message)).toEqual({ ok: true })
  await one.close()
})

test('another TPM, or another kind of key, gets another attestation key, and each TPM its own again', async () => {
  const { tpm, file, attester: first } = await attester()
  await first.close()
  const another = await startSwtpm()
  const other = await open(another, file)
  expect(other.akPublic).not.toEqual(first.akPublic)
  await other.close()
  for (const [back, { akPublic }] of [
    [tpm, first],
    [another, other],
  ] as const) {
    const again = await open(back, file)
    expect(again.akPublic).toEqual(akPublic)
    await again.close()
  }
  const wider = await open(tpm, file, { ...ECC, hash: 'sha384' })
  expect(wider.akPublic).not.toEqual(first.akPublic)
  await wider.close()
})

test('only the owner can read the stored files', async () => {
  const { file, attester: one } = await attester()
  expect(statSync(file).mode & 0o777).toBe(0o600)
  await one.close()
})

test('quotes that are asked for at once disturb each other in nothing', async () => {
  const { attester: one } = await attester()
  const asked = ['a', 'b', 'c'].map((text) => {
    const nonce = new TextEncoder().encode(text)
    return { nonce, pcrs: [16], nodeKeyDigest: digestOf(hashes.sha256, nonce) }
  })
  const quotes = await Promise.all(asked.map((request) => one.quote(request)))
  expect(quotes.map(({ message }) => toHex(decode(TPMS_ATTEST, message).extraData))).toEqual(
    asked.map(({ nonce }) => toHex(nonce)),
  )
  expect(quotes.map(({ pcrs }) => hexOf(pcrs.get(16)))).toEqual(
    asked.map((each) => toHex(extend(hashes.sha256, new Uint8Array(32), each.nodeKeyDigest))),
  )
  await one.close()
})

test('the error for a missing TPM says what to do', async () => {
  await expect(open({ tcti: 'swtpm:path=/nowhere/s' }, '/nowhere/data')).rejects.toMatchObject({
    sentence: 'no TPM answers at /nowhere/s (ENOENT)',
  })
})

test('the error for a silent TPM says that another program may use it', async () => {
  const silent = () => Promise.reject(new TpmSilent('the TPM did not answer'))
  const connection = { transmit: silent, close: async () => undefined }
  await expect(openAttester(connection, settingsOf('/nowhere/data'))).rejects.toMatchObject({
    next: expect.stringContaining('swtpm serves one at a time'),
  })
})

test('a bank that the TPM does not have is reported', async () => {
  const tpm = await startSwtpm()
  tpmTool('pcrallocate', ['sha1:none+sha256:all+sha384:none+sha512:none'], tpm.tcti)
  await tpm.reset()
  const one = await open(tpm, join(temporaryDirectory(), 'data'), { ...ECC, hash: 'sha384' })
  const digest = digestOf(hashes.sha384, NONCE)
  await expect(one.quote({ nonce: NONCE, pcrs: [0], nodeKeyDigest: digest })).rejects.toThrow(
    QuoteFault,
  )
  await one.close()
})

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { toHex } from '../../bytes/hex.ts'
import { temporaryDirectory } from '../../dev/testing/temporary-directory.ts'
import { systemRandom } from '../../platform/random.ts'
import { makeCredential } from '../../tpm/make-credential.ts'
import { nameOf } from '../../tpm/name.ts'
import { startSwtpm, type TestTpm } from '../../tpm/testing/swtpm.ts'
import { tpmTool } from '../../tpm/testing/tpm-tools.ts'
import { openTpm } from '../../tpm/transports/open-tpm.ts'
import { parseTcti } from '../../tpm/transports/parse-tcti.ts'
import { type AttesterSettings, openAttester } from './attester.ts'

const open = (tpm: TestTpm, change: Partial<AttesterSettings> = {}) => {
  const place = parseTcti(tpm.tcti)
  if (place === undefined) throw new Error(`${tpm.tcti} names no TPM`)
  return openAttester(openTpm(place), {
    algorithms: { key: 'ecc256', hash: 'sha256', signing: 'ecdsa' },
    ...{ ekHandle: undefined, hierarchyPassword: new Uint8Array(), random: systemRandom },
    file: join(temporaryDirectory(), 'agent_data.json'),
    ...change,
  })
}

/** A certificate is a SEQUENCE with its length in two bytes; its content does not matter here. */
function certificateOf(length: number): Uint8Array {
  const der = new Uint8Array(length).fill(7)
  der.set([0x30, 0x82, (length - 4) >> 8, (length - 4) & 255])
  return der
}

/** Writes a certificate into an NV index of that size, as a maker does. */
function manufacture({ tcti }: TestTpm, index: string, der: Uint8Array, size: number): void {
  const file = join(temporaryDirectory(), 'ekcert.der')
  writeFileSync(file, der)
  const attributes = 'ppwrite|ppread|ownerread|authread|platformcreate|no_da|write_stclear'
  tpmTool('nvdefine', [index, '-C', 'p', '-s', String(size), '-a', attributes], tcti)
  tpmTool('nvwrite', [index, '-C', 'p', '-i', file], tcti)
}

test.each([
  ['ecc256', '0x01c0000a', 1300],
  ['rsa2048', '0x01c00002', 900],
  ['ecc384', '0x01c00016', 900],
  ['ecc521', '0x01c00018', 900],
  ['rsa3072', '0x01c0001c', 900],
] as const)(
  'the certificate of an %s key is read from its NV index, however large that is',
  async (key, index, size) => {
    const tpm = await startSwtpm()
    const der = certificateOf(900)
    manufacture(tpm, index, der, size)
    const signing = key.startsWith('ecc') ? 'ecdsa' : 'rsassa'
    const attester = await open(tpm, { algorithms: { key, hash: 'sha256', signing } })
    expect(toHex(attester.ekCertificate ?? new Uint8Array())).toBe(toHex(der))
    await attester.close()
  },
)

test('a TPM without a certificate has none', async () => {
  const attester = await open(await startSwtpm())
  expect(attester.ekCertificate).toBeUndefined()
  await attester.close()
})

test.each(['rsa2048', 'ecc256', 'ecc384', 'ecc521', 'rsa3072'] as const)(
  'the endorsement key of kind %s is the one that the tools make, and opens credentials',
  async (key) => {
    const tpm = await startSwtpm()
    const file = join(temporaryDirectory(), 'ek.pub')
    tpmTool('createek', ['-c', '0x81010001', '-G', key, '-u', file], tpm.tcti)
    const signing = key.startsWith('ecc') ? 'ecdsa' : 'rsassa'
    const attester = await open(tpm, { algorithms: { key, hash: 'sha256', signing } })
    expect(toHex(attester.ekPublic)).toBe(toHex(readFileSync(file)))
    const [secret, name] = [new Uint8Array(32).fill(5), nameOf(attester.akPublic)]
    const random = (count: number) => systemRandom.bytes(count)
    const blob = makeCredential({ ekPublic: attester.ekPublic, name, secret, random })
    expect(toHex(await attester.activate(blob))).toBe(toHex(secret))
    await attester.close()
  },
)

test('the error for a kind of key that the TPM does not have says what to do', async () => {
  const algorithms = { key: 'rsa4096', hash: 'sha256', signing: 'rsassa' } as const
  await expect(open(await startSwtpm(), { algorithms })).rejects.toMatchObject({
    sentence: expect.stringContaining('the TPM refused TPM2_CreatePrimary (TPM_RC_VALUE'),
    next: expect.stringContaining('tpm_encryption_alg'),
  })
})

test('an endorsement key at a handle is the one that the tools made there', async () => {
  const tpm = await startSwtpm()
  const file = join(temporaryDirectory(), 'ek.pub')
  tpmTool('createek', ['-c', '0x81010001', '-G', 'ecc', '-u', file], tpm.tcti)
  const made = await open(tpm)
  await made.close()
  const attester = await open(tpm, { ekHandle: 0x81010001 })
  expect(toHex(attester.ekPublic)).toBe(toHex(made.ekPublic))
  await attester.close()
})

test('the error for a handle without a key says what to do', async () => {
  await expect(open(await startSwtpm(), { ekHandle: 0x81010001 })).rejects.toMatchObject({
    sentence: expect.stringContaining('the TPM refused TPM2_ReadPublic (TPM_RC_HANDLE'),
    next: expect.stringContaining('ek_handle'),
  })
})

test('an endorsement hierarchy with a password is used with it, and not without', async () => {
  const tpm = await startSwtpm()
  tpmTool('changeauth', ['-c', 'endorsement', 'secret'], tpm.tcti)
  await expect(open(tpm)).rejects.toMatchObject({
    next: expect.stringContaining('tpm_ownerpassword'),
  })
  const attester = await open(tpm, { hierarchyPassword: new TextEncoder().encode('secret') })
  expect((await attester.certify(new Uint8Array(8))).signature.length).toBeGreaterThan(60)
  await attester.close()
})

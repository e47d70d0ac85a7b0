import { verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { openLab } from '../../../simulator/testing/lab.ts'
import { verifyKit } from '../kit/verify-kit.ts'
import { sampleKit, textOf } from '../testing/sample-kit.ts'
import { CATALOGUE } from '../testing/sample-runs.ts'
import { openTpm } from './open-tpm.ts'
import { tpmSigner } from './tpm-signer.ts'

const lab = openLab()

test.each([
  ['ecc256', 'ECDSA P-256 with SHA-256'],
  ['rsa2048', 'RSASSA-PKCS1-v1_5 2048 with SHA-256'],
] as const)('a kit can be signed with the attestation key of a TPM: %s', async (ak, algorithm) => {
  const machine = await lab.machine({ ak })
  const { tcti } = await machine.serveUnix()
  const signer = await tpmSigner(() => openTpm(tcti), machine.ak.handle)
  const kit = await sampleKit({ signer })
  expect(signer.how).toBe(`${algorithm}, restricted key of a TPM, which hashed the message itself`)
  expect(textOf(kit, 'README.md')).toContain('restricted key of a TPM')
  expect(verifyKit(kit, { catalogueOf: () => CATALOGUE }).refusals).toEqual([])
})

test('a signature with a number that begins with zeros is DER', async () => {
  const machine = await lab.machine({ ak: 'ecc256' })
  const { tcti } = await machine.serveUnix()
  const { publicKey, sign } = await tpmSigner(() => openTpm(tcti), machine.ak.handle)
  for (let at = 0; at < 40; at += 1) {
    const message = Buffer.from(`message ${at}`)
    expect(verify('sha256', message, publicKey, await sign(message))).toBe(true)
  }
})

test('a message that a TPM could have made itself is not signed', async () => {
  const machine = await lab.machine({ ak: 'ecc256' })
  const { tcti } = await machine.serveUnix()
  const { sign } = await tpmSigner(() => openTpm(tcti), machine.ak.handle)
  await expect(sign(Buffer.from('\xffTCG forged', 'latin1'))).rejects.toMatchObject({
    sentence: expect.stringContaining('does not sign: TPM2_Sign was refused with TPM_RC_TICKET'),
  })
})

test('a key with another hash than its curve demands is refused before it is used', async () => {
  const machine = await lab.machine({ ak: 'ecc384' })
  const { tcti } = await machine.serveUnix()
  await expect(tpmSigner(() => openTpm(tcti), machine.ak.handle)).rejects.toMatchObject({
    sentence: expect.stringContaining('does not sign: TPM2_Sign was refused with TPM_RC_SCHEME'),
  })
})

test('a TPM without the key, and a place without a TPM, are named', async () => {
  const { tcti } = await (await lab.machine({ ak: 'ecc256' })).serveUnix()
  await expect(tpmSigner(() => openTpm(tcti), 0x81ffffff)).rejects.toMatchObject({
    sentence: expect.stringContaining('the TPM has no key at 0x81ffffff: TPM2_ReadPublic was'),
  })
  await expect(openTpm('swtpm:path=/nowhere')).rejects.toMatchObject({
    sentence: 'the TPM swtpm:path=/nowhere cannot be opened (ENOENT)',
  })
  await expect(openTpm('device:/nowhere')).rejects.toMatchObject({
    sentence: 'the TPM device:/nowhere cannot be opened (ENOENT)',
  })
  await expect(openTpm('tabrmd:')).rejects.toMatchObject({ sentence: '"tabrmd:" names no TPM' })
})

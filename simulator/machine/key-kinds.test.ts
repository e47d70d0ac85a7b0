import { createPublicKey } from 'node:crypto'
import { expect, test } from 'vitest'
import type { AkKind } from '../swtpm/templates.ts'
import { openLab } from '../testing/lab.ts'
import { parseAttest } from '../tpm/attest.ts'
import { TPM_ALG } from '../tpm/constants.ts'
import { HASHES } from '../tpm/hash.ts'
import { parseSignature, verifySignature } from '../tpm/signature.ts'

const CHALLENGE = Uint8Array.from({ length: 16 }, (_, at) => at)

const SCHEMES = { rsassa: TPM_ALG.RSASSA, rsapss: TPM_ALG.RSAPSS, ecdsa: TPM_ALG.ECDSA }

const KINDS: readonly Required<AkKind>[] = [
  { algorithm: 'rsa2048', scheme: 'rsassa', hash: 'sha256' },
  { algorithm: 'rsa2048', scheme: 'rsassa', hash: 'sha384' },
  { algorithm: 'rsa2048', scheme: 'rsapss', hash: 'sha512' },
  { algorithm: 'rsa3072', scheme: 'rsassa', hash: 'sha256' },
  { algorithm: 'ecc256', scheme: 'ecdsa', hash: 'sha256' },
  { algorithm: 'ecc384', scheme: 'ecdsa', hash: 'sha384' },
  { algorithm: 'ecc521', scheme: 'ecdsa', hash: 'sha512' },
]

const lab = openLab()

test.each(KINDS)('a TPM certifies its $algorithm by $scheme with $hash', async (ak) => {
  const machine = await lab.machine({ ak })
  expect(machine.ak).toMatchObject(ak)
  const { message, signature } = await machine.certify({ qualifyingData: CHALLENGE })
  const { attested, extraData } = parseAttest(message)
  expect([attested, extraData]).toMatchObject([
    { kind: 'certify', name: machine.ak.name },
    CHALLENGE,
  ])
  const read = parseSignature(signature)
  expect(read).toMatchObject({ sigAlg: SCHEMES[ak.scheme], hash: HASHES[ak.hash].alg })
  expect(verifySignature(message, read, createPublicKey(machine.ak.publicPem))).toBe(true)
})

test('another key of the TPM signs like the attestation key', async () => {
  const machine = await lab.machine({ ak: { algorithm: 'rsa2048', scheme: 'rsapss' } })
  expect(await machine.createRogueAk()).toMatchObject({ scheme: 'rsapss', hash: 'sha256' })
  expect(await machine.createRogueAk({ algorithm: 'ecc256' })).toMatchObject({ scheme: 'ecdsa' })
})

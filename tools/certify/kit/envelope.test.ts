import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { crypto, dsse } from '@sigstore/core'
import { expect, test } from 'vitest'
import { sampleKit, signerWith, textOf } from '../testing/sample-kit.ts'
import { NAMES } from './kit-files.ts'

const PAIRS = {
  Ed25519: [generateKeyPairSync('ed25519'), null],
  'ECDSA on P-256': [generateKeyPairSync('ec', { namedCurve: 'P-256' }), 'sha256'],
  RSA: [generateKeyPairSync('rsa', { modulusLength: 2048 }), 'sha256'],
} as const

/** Whether sigstore's DSSE library verifies the envelope of a kit, with a payload of this type. */
function isVerified(envelope: string, key: string, type?: string): boolean {
  const { payloadType, payload, signatures } = JSON.parse(envelope)
  const signed = dsse.preAuthEncoding(type ?? payloadType, Buffer.from(payload, 'base64'))
  const signature = Buffer.from(signatures[0].sig, 'base64')
  const publicKey = createPublicKey(key)
  return publicKey.asymmetricKeyType === 'ed25519'
    ? crypto.verify(signed, publicKey, signature)
    : crypto.verify(signed, publicKey, signature, 'sha256')
}

test.each(Object.entries(PAIRS))(
  'an envelope that is signed with %s verifies with the DSSE library of sigstore',
  async (_, [{ privateKey, publicKey }, hash]) => {
    const kit = await sampleKit({ signer: signerWith(privateKey, publicKey, hash) })
    const [envelope, key] = [textOf(kit, NAMES.statement), textOf(kit, NAMES.key)]
    expect(isVerified(envelope, key)).toBe(true)
    expect(isVerified(envelope, key, 'application/json')).toBe(false)
    const altered = { ...JSON.parse(envelope), payload: Buffer.from('{}').toString('base64') }
    expect(isVerified(JSON.stringify(altered), key)).toBe(false)
  },
)

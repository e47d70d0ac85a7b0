import { createVerify, X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { extendEntry } from '../platform/replay.ts'
import { softPcrs } from '../platform/soft-pcrs.ts'
import { createManufacturer } from '../swtpm/manufacturer.ts'
import { parseAttest } from '../tpm/attest.ts'
import { digest } from '../tpm/hash.ts'
import { parseSignature } from '../tpm/signature.ts'
import { cat, equal, filled, text } from '../tpm/write.ts'
import { unbootedMachine } from './unbooted-machine.ts'

const manufacturer = await createManufacturer({ now: new Date() })
const machine = await unbootedMachine(manufacturer)
const REQUEST = { qualifyingData: text('nonce'), bank: 'sha256', pcrs: [0, 10] } as const

test.each(['quote', 'certify', 'getTime'] as const)(
  '%s covers the request and is signed by the attestation key',
  async (what) => {
    const { message, signature } = await machine[what](REQUEST)
    const parsed = parseSignature(signature)
    expect(equal(parseAttest(message).extraData, text('nonce'))).toBe(true)
    expect(parsed.kind).toBe('rsa')
    const sig = parsed.kind === 'rsa' ? parsed.sig : new Uint8Array()
    expect(createVerify('sha256').update(message).verify(machine.ak.publicPem, sig)).toBe(true)
  },
)

test('a quote covers its PCRs, of which PCR 10 matches the list', async () => {
  const { message, pcrValues } = await machine.quote(REQUEST)
  const { attested } = parseAttest(message)
  const replayed = softPcrs()
  for (const entry of machine.ima.entries) await extendEntry(replayed, entry)
  expect(machine.ima.count).toBe(1)
  expect(pcrValues).toEqual(await replayed.pcrRead('sha256', [0, 10]))
  expect(pcrValues.get(0)).toEqual(filled(32))
  expect(attested.kind === 'quote' && attested.pcrDigest).toEqual(
    digest('sha256', cat(...pcrValues.values())),
  )
})

test('a certification names the attestation key', async () => {
  const { attested } = parseAttest((await machine.certify(REQUEST)).message)
  expect(attested.kind === 'certify' && equal(attested.name, machine.ak.name)).toBe(true)
})

test('its endorsement key is certified by the manufacturer', () => {
  const issuer = new X509Certificate(manufacturer.certificate)
  const certificate = new X509Certificate(machine.ek.certificate)
  expect(certificate.verify(issuer.publicKey)).toBe(true)
})

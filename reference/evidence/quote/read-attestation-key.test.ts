import { expect, test } from 'vitest'
import { recorded } from '../../tpm/testing/recorded-boot.ts'
import { keyReader, readAttestationKey } from './read-attestation-key.ts'

const AK = recorded('ak_rsa.tpm2b_public')

/** The recorded key with other attributes, and therefore other bytes. */
function variant(attributes: number): Uint8Array {
  const bytes = AK.slice()
  new DataView(bytes.buffer).setUint32(6, attributes)
  return bytes
}

test('a key that was read is read once', () => {
  expect(readAttestationKey(AK.slice())).toBe(readAttestationKey(AK))
})

test('a key is known by all of its bytes', () => {
  expect(readAttestationKey(AK).value?.unmet).toEqual([])
  expect(readAttestationKey(variant(0)).value?.unmet.map(({ id }) => id)).toContain('ak.restricted')
})

test('a cached key does not change with the bytes of the caller', () => {
  const bytes = variant(0x00050076)
  const { received } = readAttestationKey(bytes).value ?? {}
  bytes.fill(0)
  expect(received?.[0]).toBe(0)
  expect(received?.[1]).toBe(1)
  expect(readAttestationKey(bytes).problem).toBeDefined()
})

test('bytes that are no key are refused each time anew', () => {
  const cut = AK.subarray(0, 20)
  expect(readAttestationKey(cut).problem?.message).toMatch(/^TPM2B_PUBLIC at byte 2: needs/)
  expect(readAttestationKey(cut)).not.toBe(readAttestationKey(cut))
})

test('the cache of keys is limited, and the oldest is evicted first', () => {
  const read = keyReader(3)
  const first = read(variant(1))
  for (const attributes of [2, 3]) read(variant(attributes))
  expect(read(variant(1))).toBe(first)
  read(variant(4))
  expect(read(variant(1))).not.toBe(first)
  expect(read(variant(1)).value?.area).toEqual(first.value?.area)
})

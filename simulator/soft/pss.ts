import { constants, type KeyObject, privateEncrypt } from 'node:crypto'
import { type Bank, digest, HASHES } from '../tpm/hash.ts'
import { cat, filled, u8, u32 } from '../tpm/write.ts'

const SIZE = 256

/** MGF1 (RFC 8017, B.2.1). */
function mask(bank: Bank, seed: Uint8Array, size: number): Uint8Array {
  const blocks = Array.from({ length: Math.ceil(size / HASHES[bank].size) }, (_, index) =>
    digest(bank, cat(seed, u32(index))),
  )
  return cat(...blocks).subarray(0, size)
}

/**
 * RSASSA-PSS by a 2048-bit key over a given salt, with SHA-256 of up to 222 bytes; node:crypto draws the salt at
 * random (RFC 8017, 9.1.1).
 */
export function signPss(
  key: KeyObject,
  message: Uint8Array,
  salt: Uint8Array,
  bank: Bank = 'sha256',
): Uint8Array {
  const hashed = digest(bank, cat(filled(8), digest(bank, message), salt))
  const block = cat(filled(SIZE - hashed.length - salt.length - 2), u8(1), salt)
  const dbMask = mask(bank, hashed, block.length)
  const masked = block.map((byte, index) => byte ^ (dbMask[index] ?? 0))
  masked[0] = (masked[0] ?? 0) & 0x7f
  const encoded = cat(masked, hashed, u8(0xbc))
  return new Uint8Array(privateEncrypt({ key, padding: constants.RSA_NO_PADDING }, encoded))
}

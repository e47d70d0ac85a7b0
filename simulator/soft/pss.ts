import { constants, type KeyObject, privateEncrypt } from 'node:crypto'
import { digest } from '../tpm/hash.ts'
import { cat, filled, u8, u32 } from '../tpm/write.ts'

const SIZE = 256
const DIGEST = 32

/** MGF1 with SHA-256 (RFC 8017, B.2.1). */
function mask(seed: Uint8Array, size: number): Uint8Array {
  const blocks = Array.from({ length: Math.ceil(size / DIGEST) }, (_, index) =>
    digest('sha256', cat(seed, u32(index))),
  )
  return cat(...blocks).subarray(0, size)
}

/**
 * RSASSA-PSS with SHA-256 by a 2048-bit key over a given salt of up to 222 bytes; node:crypto draws the salt at
 * random (RFC 8017, 9.1.1).
 */
export function signPss(key: KeyObject, message: Uint8Array, salt: Uint8Array): Uint8Array {
  const hashed = digest('sha256', cat(filled(8), digest('sha256', message), salt))
  const block = cat(filled(SIZE - DIGEST - salt.length - 2), u8(1), salt)
  const dbMask = mask(hashed, block.length)
  const masked = block.map((byte, index) => byte ^ (dbMask[index] ?? 0))
  masked[0] = (masked[0] ?? 0) & 0x7f
  const encoded = cat(masked, hashed, u8(0xbc))
  return new Uint8Array(privateEncrypt({ key, padding: constants.RSA_NO_PADDING }, encoded))
}

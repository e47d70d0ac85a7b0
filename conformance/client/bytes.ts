import { createHmac } from 'node:crypto'
import type { Dialect } from '../dialects/dialect.ts'

export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}

/** Decodes base64 leniently; separate checks validate the subject's encoding. */
export function unbase64(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'base64'))
}

/** A copy with one bit flipped. Bit 0 is the lowest bit of the first byte; negative numbers count from the end. */
export function flipBit(bytes: Uint8Array, bit: number): Uint8Array {
  const at = bit < 0 ? bytes.length * 8 + bit : bit
  const flipped = Uint8Array.from(bytes)
  flipped[at >> 3] = (flipped[at >> 3] ?? 0) ^ (1 << (at & 7))
  return flipped
}

/** The activation tag: HMAC-SHA-384 over the agent id, keyed with the secret from the blob. */
export function authTag(secret: Uint8Array, agentId: string, dialect: Dialect): string {
  const key = dialect['auth-tag-key'] === 'raw' ? secret : base64(secret)
  return createHmac('sha384', key).update(agentId).digest('hex')
}

/** A copy with the first occurrence of `from` replaced by `to`, which has the same length. */
export function replaceBytes(bytes: Uint8Array, from: string, to: string): Uint8Array {
  const at = Buffer.from(bytes).indexOf(from)
  if (at === -1 || from.length !== to.length) throw new Error(`${from} cannot be replaced by ${to}`)
  const replaced = Uint8Array.from(bytes)
  replaced.set(new TextEncoder().encode(to), at)
  return replaced
}

export function unhex(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'hex'))
}

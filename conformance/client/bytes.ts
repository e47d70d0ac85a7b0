import { createHmac } from 'node:crypto'
import type { Dialect } from '../dialects/dialect.ts'

export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}

/** Bytes of a base64 text, read leniently: the subject's text is judged elsewhere. */
export function unbase64(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'base64'))
}

/** The same bytes with one bit turned; bit 0 is the lowest of the first byte, negative counts from the end. */
export function flipBit(bytes: Uint8Array, bit: number): Uint8Array {
  const at = bit < 0 ? bytes.length * 8 + bit : bit
  const flipped = Uint8Array.from(bytes)
  flipped[at >> 3] = (flipped[at >> 3] ?? 0) ^ (1 << (at & 7))
  return flipped
}

/** The tag of an activation: HMAC-SHA-384 over the agent id, keyed by what the TPM found in the blob. */
export function authTag(secret: Uint8Array, agentId: string, dialect: Dialect): string {
  const key = dialect['auth-tag-key'] === 'raw' ? secret : base64(secret)
  return createHmac('sha384', key).update(agentId).digest('hex')
}

/** The same bytes with the first occurrence of one text replaced by another of the same length. */
export function replaceBytes(bytes: Uint8Array, from: string, to: string): Uint8Array {
  const at = Buffer.from(bytes).indexOf(from)
  if (at === -1 || from.length !== to.length) throw new Error(`${from} cannot be replaced by ${to}`)
  const replaced = Uint8Array.from(bytes)
  replaced.set(new TextEncoder().encode(to), at)
  return replaced
}

/** The same bytes without `count` lines from line `from` on, counted from 0. */
export function cutLines(bytes: Uint8Array, from: number, count: number): Uint8Array {
  const lines = Buffer.from(bytes).toString('latin1').split('\n')
  lines.splice(from, count)
  return new Uint8Array(Buffer.from(lines.join('\n'), 'latin1'))
}

export function unhex(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'hex'))
}

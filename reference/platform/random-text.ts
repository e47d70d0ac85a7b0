import type { Random } from './random.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
/** The largest multiple of the alphabet's length in a byte: bytes from there on would favour some letters. */
const FAIR = 256 - (256 % ALPHABET.length)
/** Interface document, "Limits": "20-character random string of letters and digits". */
const LENGTH = 20

/** A nonce or a challenge as agents take it, each character as likely as any other. */
export function randomText(random: Pick<Random, 'bytes'>): string {
  let text = ''
  while (text.length < LENGTH) {
    const fair = random.bytes(LENGTH).filter((byte) => byte < FAIR)
    for (const byte of fair) text += ALPHABET[byte % ALPHABET.length]
  }
  return text.slice(0, LENGTH)
}

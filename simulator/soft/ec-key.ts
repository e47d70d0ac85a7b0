import type { KeyPairKeyObjectResult } from 'node:crypto'
import { newEcPair } from './new-key-pair.ts'

/** A new key on a curve. With `leadingZero` its x begins with a zero byte, as that of one key in 256 does. */
export function newEcKey(
  namedCurve: 'P-224' | 'P-256' | 'P-384',
  { leadingZero = false } = {},
): KeyPairKeyObjectResult {
  for (;;) {
    const pair = newEcPair(namedCurve)
    if (!leadingZero || startsWithZero(pair)) return pair
  }
}

function startsWithZero({ publicKey }: KeyPairKeyObjectResult): boolean {
  const { x = '' } = publicKey.export({ format: 'jwk' })
  return Buffer.from(x, 'base64url')[0] === 0
}

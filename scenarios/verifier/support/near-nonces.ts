/** Texts that are almost a nonce of letters in both cases and digits; a quote over one of them is not over the nonce. */
export function nearNonces(nonce: string): readonly string[] {
  return [
    '',
    nonce.slice(0, 1),
    nonce.slice(0, 16),
    nonce.slice(0, -1),
    nonce.slice(1),
    `${nonce}0`,
    `${nonce}\0`,
    `\0${nonce}`,
    `${nonce}\n`,
    ` ${nonce}`,
    nonce.toLowerCase(),
    nonce.toUpperCase(),
    [...nonce].toReversed().join(''),
    `${nonce}${nonce}`,
    `${nonce.slice(0, 16)}0000`,
    '0'.repeat(nonce.length),
    '\0'.repeat(nonce.length),
    Buffer.from(nonce).toString('hex'),
    Buffer.from(nonce).toString('base64'),
  ]
}

/** Stated nonces of which the nonce of the quote is a part, or which differ from it in case. */
export const NEAR_STATED: readonly ((nonce: string) => string)[] = [
  (nonce) => `${nonce}\0`,
  (nonce) => `${nonce}\0x`,
  (nonce) => `${nonce}x`,
  (nonce) => `x${nonce}`,
  (nonce) => `${nonce}\n`,
  (nonce) => nonce.toLowerCase(),
]

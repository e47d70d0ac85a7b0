/** A well-formed key that this implementation cannot or will not use; the message says which property. */
export class UnsupportedKey extends Error {
  override readonly name = 'UnsupportedKey'
}

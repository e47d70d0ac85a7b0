/** Whether two byte strings are the same; not for secrets, as the time reveals where they differ. */
export function equalBytes(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && Buffer.compare(left, right) === 0
}

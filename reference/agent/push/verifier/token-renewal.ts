/** Of a token's life, the part that is left when it is renewed; and that in milliseconds at most. */
const MARGIN = 0.2
const LONGEST_MARGIN = 30_000

/** When a token should be renewed that was asked for at one time and expires at another; never where it does not expire. */
export function renewalOf(asked: number, expiresAt: number | undefined): number | undefined {
  if (expiresAt === undefined) return undefined
  return expiresAt - Math.min(LONGEST_MARGIN, Math.max(0, expiresAt - asked) * MARGIN)
}

/** Time as a parameter: no code below `main` reads the machine's clock directly. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/**
 * ISO 8601 in UTC with microseconds, the form of every v3 timestamp
 * (interface document, "Attestation": `capabilities_received_at`).
 */
export function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('Z', '000Z')
}

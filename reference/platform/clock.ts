/** Time as a parameter: no code below `main` reads the machine's clock directly. */
export interface Clock {
  /** Milliseconds since the Unix epoch; an administrator or a time server may set it, ahead or back. */
  now(): number
  /**
   * Milliseconds, from any moment on, in which this process could act. It never moves back, and hardly ahead while the
   * process is stopped or its thread is kept busy.
   */
  awake(): number
}

/** Milliseconds between two measurements, and how much of the time between two of them counts. */
const MEASURE_EVERY = 500
const COUNTS = 1000

/** The waking time of a process by a monotonic clock, measured again and again. */
export function awakeTime(
  monotonic: () => number = () => performance.now(),
  repeat: (measure: () => void) => void = (measure) =>
    void setInterval(measure, MEASURE_EVERY).unref(),
): () => number {
  let counted = 0
  let seen: number | undefined
  const measure = (): number => {
    const now = monotonic()
    counted += Math.min(now - (seen ?? now), COUNTS)
    seen = now
    return counted
  }
  return () => {
    if (seen === undefined) repeat(measure)
    return measure()
  }
}

export const systemClock: Clock = { now: () => Date.now(), awake: awakeTime() }

/**
 * ISO 8601 in UTC with microseconds, the form of every v3 timestamp
 * (interface document, "Attestation": `capabilities_received_at`).
 */
export function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('Z', '000Z')
}

import type { IncomingHttpHeaders } from 'node:http'
import type { Random } from '../../platform/random.ts'

/** How long a push agent waits. All in milliseconds but `jitter`. */
export interface Pauses {
  readonly initialDelay: number
  readonly maxDelay: number
  /** The part of a delay that is left to chance, from 0 to 1. */
  readonly jitter: number
  readonly interval: number
  /** The shortest and the longest wait that a verifier may ask for after it accepted evidence. */
  readonly leastInterval: number
  readonly mostInterval: number
}

/**
 * The wait after that many failures in a row, at least one: each nominally twice as long as the one
 * before, up to the longest, and shorter by chance, so that agents that failed together do not come back together.
 */
export function backoffPause(
  { initialDelay, maxDelay, jitter }: Pauses,
  failures: number,
  random: Pick<Random, 'bytes'>,
): number {
  const nominal = Math.min(initialDelay * 2 ** (failures - 1), maxDelay)
  return Math.round(nominal * (1 - jitter * fractionOf(random)))
}

/** What `Retry-After` asked for, up to the longest delay; as without it when that is nothing. */
export function failurePause(
  pauses: Pauses,
  failures: number,
  retryAfter: number | undefined,
  random: Pick<Random, 'bytes'>,
): number {
  if (retryAfter === undefined || retryAfter <= 0) return backoffPause(pauses, failures, random)
  return Math.min(retryAfter, pauses.maxDelay)
}

/**
 * `seconds_to_next_attestation` within bounds, or the agent's own interval where it is no number of seconds (ambiguity
 * INTERVAL). A verifier that sends 0 would cause constant attestation, and one that sends a year would silence the agent.
 */
export function nextInterval(pauses: Pauses, seconds: unknown): number {
  if (typeof seconds !== 'number' || !Number.isFinite(seconds) || seconds < 0)
    return pauses.interval
  return Math.min(Math.max(seconds * 1000, pauses.leastInterval), pauses.mostInterval)
}

const FOUR_BYTES = 2 ** 32

/** From 0 to almost 1. */
function fractionOf(random: Pick<Random, 'bytes'>): number {
  const bytes = random.bytes(4)
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(0) / FOUR_BYTES
}

/**
 * Milliseconds that a `Retry-After` asks for: whole seconds, or a date (RFC 9110, 10.2.3), which is compared with the
 * `Date` of the same answer where it has one, as the other clock need not go like ours. Undefined for anything else.
 */
export function parseRetryAfter(
  headers: Pick<IncomingHttpHeaders, 'retry-after' | 'date'>,
  now: number,
): number | undefined {
  const text = headers['retry-after']?.trim()
  if (text === undefined) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const until = httpDate(text)
  return until === undefined ? undefined : Math.max(0, until - (httpDate(headers.date) ?? now))
}

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

function httpDate(text: string | undefined): number | undefined {
  const instant = text !== undefined && HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(instant) ? undefined : instant
}

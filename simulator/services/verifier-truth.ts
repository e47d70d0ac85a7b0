import { randomBytes, randomUUID } from 'node:crypto'
import type { ServedReply } from './service.ts'

/** Settings of a correct verifier, in milliseconds. */
export interface VerifierSettings {
  readonly tokenLifetimeMs: number
  readonly sessionChallengeMs: number
  readonly challengeMs: number
  /** `meta.seconds_to_next_attestation` of accepted evidence; undefined omits it. */
  readonly secondsToNext: number | undefined
  readonly nonceBytes: number
  /** Index of the first attestation; one that is above 0 belongs to an agent that attested before. */
  readonly firstIndex: number
  /** Requested PCRs. */
  readonly pcrs: readonly number[]
  /** Which of several offered keys, schemes, hash algorithms and formats it chooses; `last` leaves the last entry out, too. */
  readonly chooses: 'first' | 'last'
  /** Whether it requests an offered firmware log. */
  readonly bootLog: boolean
  /** Whether it requests logs before the quote; otherwise in the order of the offer. */
  readonly logsFirst: boolean
  /** Whether it requests each measurement list from its first entry; otherwise from the first that it has not received since the boot. */
  readonly wholeLists: boolean
  /** Whether it chooses a number of entries of each measurement list; otherwise an agent sends all that it has. */
  readonly countsEntries: boolean
  /** Offset of its clock from the real time. */
  readonly skewMs: number
  /** Offset from UTC of the zone in which it writes times; undefined writes them in UTC, as `Z`. */
  readonly zoneMinutes: number | undefined
  /** The same for the ends of challenges and tokens, as when its clock is changed before; undefined writes them in the same zone. */
  readonly endZoneMinutes: number | undefined
  /** Whether its times are the last millisecond of the second before, and its ends the beginning of a second: an end then has a smaller fraction. */
  readonly roundsTimes: boolean
}

export const DEFAULT_SETTINGS: VerifierSettings = {
  tokenLifetimeMs: 600_000,
  sessionChallengeMs: 60_000,
  challengeMs: 60_000,
  secondsToNext: 1,
  nonceBytes: 20,
  firstIndex: 0,
  pcrs: [0, 1, 2, 3, 4, 5, 6, 7, 10],
  chooses: 'first',
  bootLog: true,
  logsFirst: false,
  wholeLists: false,
  countsEntries: true,
  skewMs: 0,
  zoneMinutes: undefined,
  endZoneMinutes: undefined,
  roundsTimes: false,
}

export type Attributes = Readonly<Record<string, unknown>>

export interface Requested {
  readonly evidence_class: string
  readonly evidence_type: string
  readonly chosen_parameters: Attributes
}

/** An open or completed session. */
export interface Session {
  readonly id: string
  readonly agentId: string
  readonly challenge: string
  readonly createdAt: string
  readonly expiresAt: string
}

/** An attestation that capabilities started. */
export interface Attestation {
  readonly index: number
  readonly challenge: string
  readonly requested: readonly Requested[]
  readonly systemInfo: unknown
}

/** Returns a time by the clock of a verifier, as ISO 8601 with microseconds, in its zone. */
export function timestamp(ms: number, { skewMs, zoneMinutes, roundsTimes }: Clock): string {
  const instant = ms + skewMs
  return written(roundsTimes ? secondOf(instant) - 1 : instant, zoneMinutes)
}

/** Returns the time of an end, in its zone. */
export function endTimestamp(
  ms: number,
  {
    skewMs,
    zoneMinutes,
    endZoneMinutes = zoneMinutes,
    roundsTimes,
  }: Clock & Pick<VerifierSettings, 'endZoneMinutes'>,
): string {
  const instant = ms + skewMs
  return written(roundsTimes ? secondOf(instant) : instant, endZoneMinutes)
}

type Clock = Pick<VerifierSettings, 'skewMs' | 'zoneMinutes' | 'roundsTimes'>

const secondOf = (ms: number): number => Math.floor(ms / 1000) * 1000

function written(ms: number, zoneMinutes: number | undefined): string {
  const inZone = new Date(ms + (zoneMinutes ?? 0) * 60_000)
  return inZone
    .toISOString()
    .replace('Z', `000${zoneMinutes === undefined ? 'Z' : offset(zoneMinutes)}`)
}

/** Returns an offset from UTC, such as -330 minutes, as `-05:30`. */
function offset(minutes: number): string {
  const size = Math.abs(minutes)
  const [hours, rest] = [Math.floor(size / 60), size % 60].map((part) =>
    String(part).padStart(2, '0'),
  )
  return `${minutes < 0 ? '-' : '+'}${hours}:${rest}`
}

/** A random challenge with a zero byte in it, which a random one of 20 bytes has in one of thirteen cases. */
export function freshNonce(bytes: number): string {
  // The first byte is another one: of a text that ends before a zero byte something is left.
  const nonce = randomBytes(bytes).map((byte, at) => (at === 0 ? byte | 1 : byte))
  nonce[bytes >> 1] = 0
  return Buffer.from(nonce).toString('base64')
}

const METHOD = { authentication_class: 'pop', authentication_type: 'tpm_pop' }

export function openSession(
  agentId: string,
  now: number,
  settings: VerifierSettings,
): { readonly session: Session; readonly reply: ServedReply } {
  const session = {
    ...{ id: randomUUID(), agentId, challenge: freshNonce(settings.nonceBytes) },
    createdAt: timestamp(now, settings),
    expiresAt: endTimestamp(now + settings.sessionChallengeMs, settings),
  }
  const { id, challenge, createdAt: created_at, expiresAt: challenges_expire_at } = session
  const attributes = {
    agent_id: agentId,
    authentication_requested: [{ ...METHOD, chosen_parameters: { challenge } }],
    ...{ created_at, challenges_expire_at },
  }
  return { session, reply: { status: 200, body: { data: { type: 'session', id, attributes } } } }
}

export interface Token {
  readonly text: string
  readonly agentId: string
  /** Milliseconds on the clock of `Date.now()`. */
  readonly expiresAt: number
}

export function passSession(
  session: Session,
  provided: unknown,
  now: number,
  settings: VerifierSettings,
): { readonly token: Token; readonly reply: ServedReply } {
  const { id, agentId, challenge, createdAt, expiresAt } = session
  // A secret may have any characters of a token, another dot too.
  const [start, rest] = [randomBytes(16), randomBytes(16)].map((one) => one.toString('base64url'))
  const text = `${id}.${start}.${rest}`
  const token = { text, agentId, expiresAt: now + settings.tokenLifetimeMs }
  const given = Array.isArray(provided) ? provided : []
  const attributes = {
    agent_id: agentId,
    authentication: given.map((one) => ({ ...one, chosen_parameters: { challenge } })),
    ...{ evaluation: 'pass', token: text },
    token_expires_at: endTimestamp(token.expiresAt, settings),
    created_at: createdAt,
    challenges_expire_at: expiresAt,
    response_received_at: timestamp(now, settings),
  }
  return { token, reply: { status: 200, body: { data: { type: 'session', id, attributes } } } }
}

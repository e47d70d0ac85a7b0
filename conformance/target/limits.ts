import { presentDuration } from '../input/duration.ts'

/** The named times of a target, in milliseconds. */
export interface TargetTimes {
  /** How often the verifier asks a pull agent, or expects a push agent. */
  readonly quoteIntervalMs: number
  /** From the receipt of evidence to the end of its evaluation. */
  readonly verdictWithinMs: number
  /** From a request to its whole answer. */
  readonly requestWithinMs: number
  /** For one scenario. */
  readonly scenarioWithinMs: number
  /** For a role that does not answer any more to answer again, before the next scenario begins. */
  readonly recoveryWithinMs: number
  /** How long the deployment lets a push agent answer the challenge of an attestation. */
  readonly challengeLifetimeMs: number
  /** How long a bearer token of the deployment lives. */
  readonly tokenLifetimeMs: number
  /** How long the deployment lets an agent answer the challenge of a session. */
  readonly sessionChallengeLifetimeMs: number
}

export interface TimeLimit {
  /** As the target file spells it, under `time`. */
  readonly key: string
  readonly name: keyof TargetTimes
  /** What holds when the target file says nothing. */
  readonly defaultMs: number
  /** Above it a run is a run, but nothing to certify; absent where a longer time makes no check weaker. */
  readonly certifiedMs?: number
}

const SECOND = 1000
const MINUTE = 60 * SECOND

/**
 * Every named time with its default and the most that certification allows. The interface document leaves the three
 * lifetimes open, so their defaults are the widely deployed ones and there is no most.
 */
export const TIME_LIMITS: readonly TimeLimit[] = [
  { key: 'quote_interval', name: 'quoteIntervalMs', defaultMs: 2 * SECOND },
  {
    key: 'verdict_within',
    name: 'verdictWithinMs',
    defaultMs: 10 * SECOND,
    certifiedMs: MINUTE,
  },
  {
    key: 'request_within',
    name: 'requestWithinMs',
    defaultMs: 10 * SECOND,
    certifiedMs: 30 * SECOND,
  },
  {
    key: 'scenario_within',
    name: 'scenarioWithinMs',
    defaultMs: 30 * SECOND,
    certifiedMs: 5 * MINUTE,
  },
  { key: 'recovery_within', name: 'recoveryWithinMs', defaultMs: 0 },
  { key: 'challenge_lifetime', name: 'challengeLifetimeMs', defaultMs: 30 * MINUTE },
  { key: 'token_lifetime', name: 'tokenLifetimeMs', defaultMs: 3 * MINUTE },
  { key: 'session_challenge_lifetime', name: 'sessionChallengeLifetimeMs', defaultMs: MINUTE },
]

/** What holds when a target file names no time. */
export const DEFAULT_TIMES: TargetTimes = readTimes(() => undefined)

/** All named times; `msOf` gives what the target file says of one, undefined when it says nothing. */
export function readTimes(msOf: (key: string) => number | undefined): TargetTimes {
  const entries = TIME_LIMITS.map(({ key, name, defaultMs }) => [name, msOf(key) ?? defaultMs])
  return Object.fromEntries(entries)
}

/** A time of a target that is longer than certification allows. */
export interface Excess {
  readonly key: string
  readonly ms: number
  readonly certifiedMs: number
  /** `time.verdict_within is 90 s, certification allows 60 s at the most` */
  readonly sentence: string
}

/** The times of a target that keep a run from being certified; empty when none does. */
export function exceedsCertification(target: { readonly time: TargetTimes }): readonly Excess[] {
  return TIME_LIMITS.flatMap(({ key, name, certifiedMs }) => {
    const ms = target.time[name]
    if (certifiedMs === undefined || ms <= certifiedMs) return []
    const [said, most] = [presentDuration(ms), presentDuration(certifiedMs)]
    const sentence = `time.${key} is ${said}, certification allows ${most} at the most`
    return [{ key, ms, certifiedMs, sentence }]
  })
}

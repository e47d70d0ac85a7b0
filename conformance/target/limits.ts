import { presentDuration } from '../input/duration.ts'

/** The named times of a target, in milliseconds. */
export interface TargetTimes {
  /** How often the verifier polls a pull agent, or expects a push agent. */
  readonly quoteIntervalMs: number
  /** From the receipt of evidence to the end of its evaluation. */
  readonly verdictWithinMs: number
  /** From a request to its complete response. */
  readonly requestWithinMs: number
  /** Time limit of one scenario. */
  readonly scenarioWithinMs: number
  /** How long to wait for a role that stopped answering, before the next scenario. */
  readonly recoveryWithinMs: number
}

interface TimeLimit {
  /** Its key under `time` in the target file. */
  readonly key: string
  readonly name: keyof TargetTimes
  /** Default value. */
  readonly defaultMs: number
  /** A run with a longer time cannot be certified; absent if a longer time does not weaken a check. */
  readonly certifiedMs?: number
}

const SECOND = 1000
const MINUTE = 60 * SECOND

/** Every named time with its default and the certification maximum. */
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
]

/** The times of a target file that sets none. */
export const DEFAULT_TIMES: TargetTimes = readTimes(() => undefined)

/** All named times; `msOf` returns the value in the target file, undefined for the default. */
export function readTimes(msOf: (key: string) => number | undefined): TargetTimes {
  const entries = TIME_LIMITS.map(({ key, name, defaultMs }) => [name, msOf(key) ?? defaultMs])
  return Object.fromEntries(entries)
}

/** A time limit above the certification maximum. */
interface Excess {
  readonly key: string
  readonly ms: number
  readonly certifiedMs: number
  /** `time.verdict_within is 90 s, certification allows at most 60 s` */
  readonly sentence: string
}

/** The times of a target that prevent certification; empty if there are none. */
export function exceedsCertification(target: { readonly time: TargetTimes }): readonly Excess[] {
  return TIME_LIMITS.flatMap(({ key, name, certifiedMs }) => {
    const ms = target.time[name]
    if (certifiedMs === undefined || ms <= certifiedMs) return []
    const [given, most] = [presentDuration(ms), presentDuration(certifiedMs)]
    const sentence = `time.${key} is ${given}, certification allows at most ${most}`
    return [{ key, ms, certifiedMs, sentence }]
  })
}

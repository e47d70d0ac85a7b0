import { SetupFault } from './fault.ts'

const UNITS: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
])

/**
 * Milliseconds of a duration in a target file: `250ms`, `2s`, `1.5s`, `5m`. Throws a {@link SetupFault} for anything
 * else; a bare number has no unit and is refused.
 */
export function parseDuration(text: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(text) ?? []
  const factor = UNITS.get(unit ?? '')
  if (amount === undefined || factor === undefined) {
    throw new SetupFault(`"${text}" is not a duration`, { next: 'write it as 250ms, 2s or 5m' })
  }
  return Math.round(Number(amount) * factor)
}

/** A duration for messages, from milliseconds: `250 ms`, `1.5 s`. */
export function presentDuration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${Number((ms / 1000).toFixed(1))} s`
}

import Table from 'cli-table3'

/** A measurement and the least work that could do the same. */
export interface Row {
  readonly subject: string
  readonly unit: string
  /** microseconds a unit */
  readonly ours: number
  readonly floor: string
  readonly least: number
  /** highest ratio that is good enough */
  readonly limit?: number
}

const ROUNDS = 7
const ROUND_MS = 80

/** Microseconds of one call: the best of several rounds, as noise only ever adds. */
export function cost(run: () => unknown, perCall = 1): number {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS; round++) best = Math.min(best, average(run, ROUND_MS))
  return (best * 1000) / perCall
}

const PAIRS = 500
const PAIR_MS = 2

/** Microseconds of one call of each, in short turns, so that some of them run on an idle machine. */
export function costs(
  ours: () => unknown,
  least: () => unknown,
): { readonly ours: number; readonly least: number } {
  const best = { ours: Number.POSITIVE_INFINITY, least: Number.POSITIVE_INFINITY }
  for (let pair = 0; pair < PAIRS; pair++) {
    best.ours = Math.min(best.ours, average(ours, PAIR_MS) * 1000)
    best.least = Math.min(best.least, average(least, PAIR_MS) * 1000)
  }
  return best
}

const TURNS = 9

/** Microseconds a unit of two long runs, taken in turns so that both see the same noise; the best of each. */
export function turns(
  ours: () => unknown,
  least: () => unknown,
  units: number,
): { readonly ours: number; readonly least: number } {
  const best = { ours: Number.POSITIVE_INFINITY, least: Number.POSITIVE_INFINITY }
  for (let turn = 0; turn < TURNS; turn++) {
    best.ours = Math.min(best.ours, average(ours, 1))
    best.least = Math.min(best.least, average(least, 1))
  }
  return { ours: (best.ours * 1000) / units, least: (best.least * 1000) / units }
}

function average(run: () => unknown, milliseconds: number): number {
  const start = performance.now()
  let calls = 0
  while (performance.now() - start < milliseconds) {
    run()
    calls += 1
  }
  return (performance.now() - start) / calls
}

const HEAD = ['subject', 'per', 'ours µs', 'floor', 'floor µs', 'ratio', 'limit']

/** Prints the rows; the exit code says whether a ratio is over its limit. */
export function present(rows: readonly Row[]): void {
  const table = new Table({ head: HEAD })
  for (const { subject, unit, ours, floor, least, limit } of rows) {
    const ratio = ours / least
    const said = limit === undefined ? '' : `${limit.toFixed(2)}${ratio > limit ? ' exceeded' : ''}`
    if (limit !== undefined && ratio > limit) process.exitCode = 1
    table.push([subject, unit, ours.toFixed(1), floor, least.toFixed(1), ratio.toFixed(2), said])
  }
  console.log(table.toString())
}

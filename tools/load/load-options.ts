import { Command, InvalidArgumentError } from 'commander'
import { parse } from '../../conformance/options/cli-options.ts'
import { defaultTarget } from '../../conformance/options/default-target.ts'

export interface LoadOptions {
  readonly target: string
  readonly idle: number
  readonly halves: number
  readonly requests: number
  readonly rounds: number
  readonly limit: number
}

/** Upper limits: high enough for the requirement that is measured, too low for a denial of service. */
const MOST = { idle: 500, halves: 100, requests: 1000, rounds: 9 } as const

/** A whole number from 0 to `most`. */
export function wholeUpTo(most: number) {
  return (text: string): number => {
    if (/^\d{1,4}$/.test(text) && Number(text) <= most) return Number(text)
    throw new InvalidArgumentError(`expected a whole number up to ${most}.`)
  }
}

function readRatio(text: string): number {
  if (/^\d{1,2}(\.\d{1,2})?$/.test(text) && Number(text) >= 1) return Number(text)
  throw new InvalidArgumentError('expected a ratio of at least 1, such as 2 or 1.5.')
}

/** Options of `assay load idle`; undefined if it printed the help. */
export function parseLoadOptions(argv: readonly string[]): LoadOptions | undefined {
  const command = new Command('assay load idle')
    .description(
      "opens idle connections on this machine, and compares another client's latency with and without them",
    )
    .option(
      '--target <file>',
      'target file; its components must be on this machine',
      defaultTarget(),
    )
    .option('--idle <number>', 'idle TLS connections', wholeUpTo(MOST.idle), MOST.idle)
    .option(
      '--halves <number>',
      'connections with half a ClientHello',
      wholeUpTo(MOST.halves),
      MOST.halves,
    )
    .option('--requests <number>', 'number of timed requests', wholeUpTo(MOST.requests), 200)
    .option('--rounds <number>', 'number of rounds; the median counts', wholeUpTo(MOST.rounds), 1)
    .option('--limit <ratio>', 'highest p95 ratio with and without connections', readRatio, 2)
  return parse(command, argv)?.opts<LoadOptions>()
}

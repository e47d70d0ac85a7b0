import { Command, InvalidArgumentError } from 'commander'
import { parse } from '../../conformance/options/cli-options.ts'

export interface LoadOptions {
  readonly target: string
  readonly idle: number
  readonly halves: number
  readonly requests: number
  readonly rounds: number
  readonly limit: number
}

/** The most that is ever opened: enough for the promise that is measured, too little to be a weapon. */
const MOST = { idle: 500, halves: 100, requests: 1000, rounds: 9 } as const

/** A whole number from 0 to `most`. */
export function wholeUpTo(most: number) {
  return (text: string): number => {
    if (/^\d{1,4}$/.test(text) && Number(text) <= most) return Number(text)
    throw new InvalidArgumentError(`it takes a whole number up to ${most}.`)
  }
}

function readRatio(text: string): number {
  if (/^\d{1,2}(\.\d{1,2})?$/.test(text) && Number(text) >= 1) return Number(text)
  throw new InvalidArgumentError('it takes a ratio such as 2 or 1.5.')
}

/** Options of `assay load idle`; undefined when the person asked for help and got it. */
export function parseLoadOptions(argv: readonly string[]): LoadOptions | undefined {
  const command = new Command('assay load idle')
    .description(
      "opens idle connections on this machine, and compares another client's latency with and without them",
    )
    .requiredOption('--target <file>', 'target file; its components must be on this machine')
    .option('--idle <number>', 'TLS connections that say nothing', wholeUpTo(MOST.idle), MOST.idle)
    .option('--halves <number>', 'half ClientHellos', wholeUpTo(MOST.halves), MOST.halves)
    .option('--requests <number>', 'requests that are timed', wholeUpTo(MOST.requests), 200)
    .option('--rounds <number>', 'times; the median counts', wholeUpTo(MOST.rounds), 1)
    .option('--limit <ratio>', 'highest ratio of the two p95', readRatio, 2)
  return parse(command, argv)?.opts<LoadOptions>()
}

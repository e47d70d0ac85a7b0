import { isDeepStrictEqual } from 'node:util'
import type { CheckResult, Strength } from '../report/result.ts'
import { isRefusal, presentReply, type Reply } from './reply.ts'

/**
 * `check(requirement, what).of(received).is(expected)`: an assertion cannot be written without the
 * requirement it speaks for, nor without both sides. A check that fails is recorded and the scenario
 * goes on, so that one run shows all that is wrong. A scenario that fills a matrix names the cell.
 */
export type Check = (
  requirement: string,
  what: string,
  cell?: string,
) => {
  of<T>(received: T): Expectation<T>
  /** What a clock of ours took, in milliseconds: where it does not hold, the scenario is begun again before it is believed. */
  measured<T extends number | readonly number[]>(received: T): Expectation<T>
}

export interface Expectation<T> {
  is(expected: T): boolean
  isOneOf(expected: readonly T[]): boolean
  isNot(unwanted: T): boolean
  /** `expected` says in words what `holds` tests. */
  matches(expected: string, holds: (received: T) => boolean): boolean
}

export interface CheckSink {
  /** Index of the last exchange on the wire; -1 when there was none. */
  lastExchange(): number
  /** `measured`: a busy machine can have made it what it is. */
  add(result: CheckResult, measured: boolean): void
}

/** Strength of a requirement row; rows it does not know are fixed. */
export type StrengthOf = (requirement: string) => Strength

/** Makes the check function of one scenario; a requirement the scenario does not declare is a fault of the suite. */
export function makeCheck(
  declared: readonly string[],
  sink: CheckSink,
  strengthOf: StrengthOf = () => 'fixed',
  cells: readonly string[] = [],
): Check {
  return (requirement, what, cell) => {
    if (!declared.includes(requirement)) {
      throw new Error(`the scenario does not declare the requirement ${requirement}`)
    }
    if (cell !== undefined && !cells.includes(cell)) {
      throw new Error(`the scenario's matrix has no cell ${cell}`)
    }
    const strength = strengthOf(requirement)
    const expectation = <T>(received: T, measured: boolean) =>
      expectationOf(received, (expected, ok) => {
        const result = {
          ...{ requirement, what, expected, received: show(received), ok },
          ...(cell === undefined ? {} : { cell }),
          ...(strength === 'fixed' ? {} : { strength }),
          at: sink.lastExchange(),
        }
        sink.add(result, measured)
        return ok
      })
    return {
      of: (received) => expectation(received, false),
      measured: (received) => expectation(received, true),
    }
  }
}

function expectationOf<T>(
  received: T,
  record: (expected: string, ok: boolean) => boolean,
): Expectation<T> {
  return {
    is: (expected) => record(show(expected), same(received, expected)),
    isNot: (unwanted) => record(`not ${show(unwanted)}`, !same(received, unwanted)),
    isOneOf: (expected) =>
      record(
        `one of ${expected.map(show).join(', ')}`,
        expected.some((value) => same(received, value)),
      ),
    matches: (expected, holds) => record(expected, holds(received)),
  }
}

/** Where the document shows no status: 4xx, or no connection at all; never success, never a 5xx. */
export function refused(reply: Reply): boolean {
  return isRefusal(reply)
}

/** Expectation in words and its test: a request was refused, where the document shows no status. */
export const REFUSED = [
  'a refusal: a 4xx status, or an end of the TLS connection without an answer',
  refused,
] as const

function same(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(one, other)
}

/** How a value is shown beside another: JSON, with absence said in words. */
export function show(value: unknown): string {
  if (value === undefined) return 'absent'
  if (isReply(value)) return presentReply(value)
  return JSON.stringify(value)
}

function isReply(value: unknown): value is Reply {
  return typeof value === 'object' && value !== null && 'exchange' in value && 'status' in value
}

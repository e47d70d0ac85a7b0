import { isDeepStrictEqual } from 'node:util'
import type { Strength } from '../report/requirement-result.ts'
import type { CheckResult } from '../report/result.ts'
import { isRefusal, presentReply, type Reply, unreadable } from './reply.ts'

/**
 * `check(requirement, what).of(received).is(expected)`: every assertion names its requirement and both
 * values. A failed check is recorded and the scenario continues, so that one run shows every deviation.
 * A scenario that fills a matrix also names the cell.
 */
export type Check = (
  requirement: string,
  what: string,
  cell?: string,
) => {
  of<T>(received: T): Expectation<T>
  /** What load on the machine can change, such as milliseconds. A failed check counts only after a retry of the scenario. */
  measured<T extends number | readonly number[]>(received: T): Expectation<T>
}

export interface Expectation<T> {
  is(expected: T): boolean
  isOneOf(expected: readonly T[]): boolean
  isNot(unwanted: T): boolean
  /** `expected` describes the predicate `holds`. */
  matches(expected: string, holds: (received: T) => boolean): boolean
  /**
   * Holds if the value meets one of these readings; the result names the first that it meets. `expected` describes
   * them; default their names.
   */
  meets(readings: Readings<T>, expected?: string): boolean
}

/** Readings of a requirement; those of an `either` row by their names in the catalogue. */
export type Readings<T> = Readonly<Record<string, (received: T) => boolean>>

interface CheckSink {
  /** Index of the last exchange in the transcript; -1 if there is none. */
  lastExchange(): number
  /** The last answer in words, if nothing can be read from it. */
  unreadAnswer?(): string | undefined
  /** `measured`: the value is a duration, which load on the machine can change. */
  add(result: CheckResult, measured: boolean): void
}

/** What a check needs to know of its requirement row. */
interface CheckedRow {
  readonly strength: Strength
  readonly readings?: readonly string[]
}

const FIXED: CheckedRow = { strength: 'fixed' }

/**
 * Makes the check function of one scenario.
 *
 * @throws {Error} if a check names a requirement that the scenario does not declare, an unknown cell, or a reading that
 *   an `either` row does not have
 */
export function makeCheck(
  declared: readonly string[],
  sink: CheckSink,
  rowOf: (requirement: string) => CheckedRow | undefined = () => FIXED,
  cells: readonly string[] = [],
): Check {
  return (requirement, what, cell) => {
    if (!declared.includes(requirement)) {
      throw new Error(`the scenario does not declare the requirement ${requirement}`)
    }
    if (cell !== undefined && !cells.includes(cell)) {
      throw new Error(`the scenario's matrix has no cell ${cell}`)
    }
    const { strength, readings = [] } = rowOf(requirement) ?? FIXED
    const expectation = <T>(received: T, measured: boolean): Expectation<T> => {
      const record = (expected: string, ok: boolean, reading?: string) => {
        const result = {
          ...{ requirement, what, expected, ok },
          received: because(received, () => (ok ? undefined : sink.unreadAnswer?.())),
          ...(cell === undefined ? {} : { cell }),
          ...(strength === 'fixed' ? {} : { strength }),
          ...(reading === undefined ? {} : { reading }),
          at: sink.lastExchange(),
        }
        sink.add(result, measured)
        return ok
      }
      return {
        ...expectationOf(received, record),
        meets: (predicates, expected) => {
          const names = Object.keys(predicates)
          const unknown = names.find((name) => !readings.includes(name))
          if (unknown !== undefined && strength === 'either')
            throw new Error(`the requirement ${requirement} has no reading "${unknown}"`)
          const met = names.find((name) => predicates[name]?.(received))
          return record(expected ?? names.join(', or '), met !== undefined, met)
        },
      }
    }
    return {
      of: (received) => expectation(received, false),
      measured: (received) => expectation(received, true),
    }
  }
}

function expectationOf<T>(
  received: T,
  record: (expected: string, ok: boolean) => boolean,
): Omit<Expectation<T>, 'meets'> {
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

/** Whether a request was refused, where the document gives no status: 4xx or a TLS failure; neither success nor 5xx. */
export function refused(reply: Reply): boolean {
  return isRefusal(reply)
}

/** Arguments of `matches` for a refused request, where the document gives no status. */
export const REFUSED = [
  'a refusal: a 4xx status, or an end of the TLS connection without an answer',
  refused,
] as const

/** Arguments of `matches` for a request that a subject may serve or refuse, as long as it causes no server error. */
export const NO_SERVER_ERROR = [
  'an answer, and no server error',
  ({ status = 500 }: Reply): boolean => status < 500,
] as const

function same(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(one, other)
}

/** The text of an expected or received value: JSON, or `absent` for undefined. */
export function show(value: unknown): string {
  if (isAbsent(value)) return 'absent'
  if (isReply(value)) return presentReply(value)
  return JSON.stringify(value)
}

/** The same of a member of an answer: if it is absent, with the reason why nothing can be read from the answer. */
export function showMember(value: unknown, answer: Reply): string {
  return because(value, () => unreadable(answer))
}

function because(value: unknown, whyUnread: () => string | undefined): string {
  const why = isAbsent(value) ? whyUnread() : undefined
  return why === undefined ? show(value) : `${show(value)}, as the answer was ${why}`
}

/** Nothing was read: no value, or no number where one was expected. */
function isAbsent(value: unknown): boolean {
  return value === undefined || Number.isNaN(value)
}

function isReply(value: unknown): value is Reply {
  return typeof value === 'object' && value !== null && 'exchange' in value && 'status' in value
}

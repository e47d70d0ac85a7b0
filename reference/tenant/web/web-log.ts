import type { Answer, Call } from '../../api/call.ts'
import { optionalQueryParameter, parameter } from '../../api/call.ts'
import { ApiError } from '../../errors.ts'
import type { Clock } from '../../platform/clock.ts'
import { printable } from '../../platform/printable.ts'

/** Lines that are kept; older ones are dropped. */
const MOST_LINES = 5000

/** The one type of log that this application has. */
export const LOG_TYPE = 'tenant'

/** What the application did, as lines with a position that counts from 0 and never starts again. */
export interface WebLog {
  add(sentence: string): void
  /** The lines from a position on, the position of the first of them, and the position of the next line to come. */
  from(position: number): {
    readonly log: readonly string[]
    readonly first: number
    readonly pos: number
  }
}

export function webLog(clock: Pick<Clock, 'now'>): WebLog {
  const lines: string[] = []
  let dropped = 0
  return {
    add(sentence) {
      lines.push(`${new Date(clock.now()).toISOString()} ${printable(sentence)}`)
      if (lines.length > MOST_LINES) dropped += lines.splice(0, lines.length - MOST_LINES).length
    },
    from(position) {
      const pos = dropped + lines.length
      const first = Math.min(Math.max(position, dropped), pos)
      return { log: lines.slice(first - dropped), first, pos }
    },
  }
}

/** GET …/logs/{logType}: `pos` is the position of the first line, 0 without it. */
export function readLog(log: WebLog, call: Call): Answer {
  const type = parameter(call, 'log_type')
  if (type !== LOG_TYPE)
    throw new ApiError('not_found', `There is no log of this type; ${LOG_TYPE} is the only one.`)
  return { body: log.from(positionIn(call)) }
}

function positionIn(call: Call): number {
  const text = optionalQueryParameter(call, 'pos') ?? '0'
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new ApiError('malformed_request', 'query parameter pos: must be a whole number from 0')
}

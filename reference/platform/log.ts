import { type DestinationStream, pino } from 'pino'

/**
 * Logs JSON lines to stdout, or to another destination; the value of an `Authorization` header never reaches them.
 * Lines are written in the background, several at once on a busy server, and the rest when the process exits.
 */
export function createLog(
  level: string,
  destination: DestinationStream = pino.destination({ sync: false }),
) {
  return pino({ level, redact: ['req.headers.authorization'] }, destination)
}

export type Log = Pick<ReturnType<typeof createLog>, 'info' | 'warn' | 'error'>

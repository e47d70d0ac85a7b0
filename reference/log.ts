import { type DestinationStream, pino } from 'pino'

/** JSON lines, on stdout unless told; the value of an `Authorization` header never reaches them. */
export function createLog(level: string, destination?: DestinationStream) {
  const options = { level, redact: ['req.headers.authorization'] }
  return destination === undefined ? pino(options) : pino(options, destination)
}

export type Log = Pick<ReturnType<typeof createLog>, 'info' | 'warn' | 'error'>

import { pino } from 'pino'

/** JSON lines on stdout; the value of an `Authorization` header never reaches them. */
export function createLog(level: string) {
  return pino({ level, redact: ['req.headers.authorization'] })
}

export type Log = Pick<ReturnType<typeof createLog>, 'info' | 'warn' | 'error'>

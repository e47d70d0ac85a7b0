import { type DestinationStream, pino } from 'pino'

/** The most bytes of log lines that wait while they cannot be written; later lines are lost. */
const MOST_WAITING = 4 * 2 ** 20
/** Bytes of lines that are written at once, and milliseconds after which fewer are: each write costs more than its lines. */
const AT_ONCE = { minLength: 4096, periodicFlush: 50 }

/**
 * Logs JSON lines to stdout, or to another destination; the value of an `Authorization` header never reaches them.
 * Lines are written in the background, several at once, and the rest when the process exits.
 */
export function createLog(level: string, destination: DestinationStream = openDestination()) {
  return pino({ level, redact: ['req.headers.authorization'] }, destination)
}

export type Log = Pick<ReturnType<typeof createLog>, 'info' | 'warn' | 'error'>

/** A file descriptor to which a server may fail to write, as on a full disk, and still serve: each line tries again. */
export function openDestination(fd = 1) {
  const destination = pino.destination({
    ...{ dest: fd, sync: false, maxLength: MOST_WAITING },
    ...AT_ONCE,
  })
  const flush = destination.flushSync.bind(destination)
  destination.flushSync = () => {
    try {
      flush()
    } catch {
      // The process ends, and these lines are lost.
    }
  }
  destination.on('error', () => undefined)
  return destination
}

import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { realpathSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { codeOf, SetupFault } from '../../conformance/input/fault.ts'
import { readRunRecord } from '../../conformance/target/processes/run-record.ts'

/** Lets go of it. */
export type Release = () => Promise<void>

/**
 * Holds a directory, which need not be there yet, for one playground alone. The lock is a name that the kernel gives to
 * one process at a time, and takes back from one that is killed: nothing of it is in the directory. Throws a
 * {@link SetupFault} while another playground of this machine holds it.
 */
export async function holdDirectory(directory: string): Promise<Release> {
  const server = createServer((socket) => socket.destroy())
  try {
    server.listen(lockOf(directory))
    await once(server, 'listening')
  } catch (cause) {
    throw codeOf(cause) === 'EADDRINUSE' ? inUse(directory, cause) : cause
  }
  // Whoever has nothing else to do ends, and so lets go.
  server.unref()
  return () => closed(server)
}

/** In the abstract namespace of Unix sockets (unix(7)): short, and the same by whichever path the directory is named. */
function lockOf(directory: string): string {
  return `\0assay-up-${createHash('sha256').update(realPlaceOf(directory)).digest('hex')}`
}

/** Without symbolic links, as far as there is anything yet. */
function realPlaceOf(path: string): string {
  try {
    return realpathSync(path)
  } catch (cause) {
    const above = dirname(path)
    if (codeOf(cause) !== 'ENOENT' || above === path) return path
    return join(realPlaceOf(above), basename(path))
  }
}

/** One that has only begun has not said yet who it is. */
function inUse(directory: string, cause: unknown): SetupFault {
  const runner = readRunRecord(directory)?.runner.pid
  const who = runner === undefined || runner === process.pid ? '' : `, pid ${runner}`
  return new SetupFault(`${directory} is in use by another Assay${who}`, {
    next: 'end that one, or name another directory',
    cause,
  })
}

async function closed(server: Server): Promise<void> {
  if (!server.listening) return
  const over = once(server, 'close')
  server.close()
  await over
}

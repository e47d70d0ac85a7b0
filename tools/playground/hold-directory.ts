import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { realpathSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { codeOf, SetupFault } from '../../conformance/input/fault.ts'
import { readRunRecord } from '../../conformance/target/processes/run-record.ts'

/** Releases the lock. */
type Release = () => Promise<void>

/**
 * Locks a directory, which need not exist yet, for one playground. The lock is an abstract Unix socket, which the kernel
 * releases when the process ends, so the directory contains no lock file. Throws a {@link SetupFault} while another
 * playground on this machine holds the lock.
 */
export async function holdDirectory(directory: string): Promise<Release> {
  const server = createServer((socket) => socket.destroy())
  try {
    server.listen(lockOf(directory))
    await once(server, 'listening')
  } catch (cause) {
    throw codeOf(cause) === 'EADDRINUSE' ? inUse(directory, cause) : cause
  }
  // The lock must not keep the process alive.
  server.unref()
  return () => closed(server)
}

/** Name in the abstract namespace of Unix sockets (unix(7)): a hash of the real path, because names are limited in length. */
function lockOf(directory: string): string {
  return `\0assay-up-${createHash('sha256').update(realPlaceOf(directory)).digest('hex')}`
}

/** Resolves symbolic links in the existing part of a path. */
function realPlaceOf(path: string): string {
  try {
    return realpathSync(path)
  } catch (cause) {
    const above = dirname(path)
    if (codeOf(cause) !== 'ENOENT' || above === path) return path
    return join(realPlaceOf(above), basename(path))
  }
}

/** Names the pid if the other process has already written its run record. */
function inUse(directory: string, cause: unknown): SetupFault {
  const runner = readRunRecord(directory)?.runner.pid
  const who = runner === undefined || runner === process.pid ? '' : `, pid ${runner}`
  return new SetupFault(`${directory} is in use by another Assay${who}`, {
    next: 'end that process, or pass another directory',
    cause,
  })
}

async function closed(server: Server): Promise<void> {
  if (!server.listening) return
  const over = once(server, 'close')
  server.close()
  await over
}

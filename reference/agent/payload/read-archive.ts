import { buffer } from 'node:stream/consumers'
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { isPlainName } from '../../bytes/plain-name.ts'

/** A file of an archive; its path is relative, and stays below wherever it is unpacked. */
export interface ArchivedFile {
  readonly path: string
  readonly content: Uint8Array
}

/** Why nothing of an archive is unpacked. */
export class RefusedArchive extends Error {
  override readonly name = 'RefusedArchive'
}

/** One thing that is asked of every entry before any of them is written. */
export interface EntryCheck {
  readonly id: string
  readonly why: string
  readonly holds: (entry: Pick<Entry, 'fileName' | 'externalFileAttributes'>) => boolean
}

const FILE_TYPE = 0o170000
const TYPES_TAKEN: ReadonlySet<number> = new Set([0, 0o100000, 0o040000])

/** What Unix archivers say of an entry in the upper half of its attributes; zeros where another system made it. */
function typeOf(externalFileAttributes: number): number {
  return (externalFileAttributes >>> 16) & FILE_TYPE
}

export const entryChecks: readonly EntryCheck[] = [
  {
    id: 'entry.path',
    why: 'a path that goes up, or begins at the root, leaves the directory it is unpacked in',
    holds: ({ fileName }) =>
      !fileName.startsWith('/') && !fileName.split('/').some((part) => part === '..'),
  },
  {
    id: 'entry.characters',
    why: 'no payload needs a name that a terminal or a shell reads as something else',
    holds: ({ fileName }) => isPlainName(fileName),
  },
  {
    id: 'entry.type',
    why: 'later files would be written to the target of the link',
    holds: ({ externalFileAttributes }) => TYPES_TAKEN.has(typeOf(externalFileAttributes)),
  },
]

interface ArchiveLimits {
  /** Bytes of all files together. */
  readonly size: number
  readonly entries: number
}

/**
 * The files of a zip archive, in memory, once all of it has been looked at.
 *
 * @throws {RefusedArchive} it is not an archive, an entry fails a check, or a limit is exceeded
 */
export async function readArchive(
  bytes: Uint8Array,
  checks: readonly EntryCheck[],
  limits: ArchiveLimits,
): Promise<readonly ArchivedFile[]> {
  try {
    const archive = await fromBufferPromise(Buffer.from(bytes), { strictFileNames: true })
    return await readFiles(archive, checks, limits)
  } catch (cause) {
    if (cause instanceof RefusedArchive) throw cause
    const why = cause instanceof Error ? cause.message : 'it cannot be read'
    throw new RefusedArchive(`the payload is no zip archive that is taken: ${why}`, { cause })
  }
}

async function readFiles(
  archive: ZipFile,
  checks: readonly EntryCheck[],
  limits: ArchiveLimits,
): Promise<readonly ArchivedFile[]> {
  if (archive.entryCount > limits.entries)
    throw new RefusedArchive(`it has ${archive.entryCount} entries, ${limits.entries} are taken`)
  const files: ArchivedFile[] = []
  let left = limits.size
  for await (const entry of archive.eachEntry()) {
    const failed = checks.find(({ holds }) => !holds(entry))
    if (failed !== undefined)
      throw new RefusedArchive(`entry ${JSON.stringify(entry.fileName)}: ${failed.why}`)
    left -= entry.uncompressedSize
    if (left < 0) throw new RefusedArchive(`it holds more than ${limits.size} bytes`)
    if (entry.fileName.endsWith('/')) continue
    // The library ends a stream that gives more than the entry announces.
    const content = await buffer(await archive.openReadStreamPromise(entry))
    files.push({ path: entry.fileName, content: new Uint8Array(content) })
  }
  return files
}

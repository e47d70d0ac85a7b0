import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { codeOf } from '../input/fault.ts'

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left on the device',
  ENOTDIR: 'a part of the path is a file, not a directory',
  EEXIST: 'a file of that name is in the way',
  EISDIR: 'a directory of that name is in the way',
  ENOENT: 'the directory cannot be made there',
}

/** A report could not be written; the message is one sentence for the person who ran it. */
export class WriteError extends Error {
  override readonly name = 'WriteError'
  readonly code: string

  constructor(path: string, cause: unknown) {
    const code = codeOf(cause) || 'unknown error'
    super(
      `The report ${path} cannot be written because ${REASONS[code] ?? 'the system refused'} (${code}); choose another directory.`,
      { cause },
    )
    this.code = code
  }
}

const writeAndSync = async (path: string, content: string | Uint8Array): Promise<void> => {
  const file = await open(path, 'wx', 0o644)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}

/**
 * Writes a file so that a reader sees the old file or the whole new one, never a part.
 * Makes the directory when it is missing. Throws `WriteError`.
 */
export const writeAtomically = async (
  path: string,
  content: string | Uint8Array,
): Promise<void> => {
  const temporary = `${path}.${process.pid}.part`
  try {
    await mkdir(dirname(path), { recursive: true })
    await rm(temporary, { force: true })
    await writeAndSync(temporary, content)
    await rename(temporary, path)
  } catch (cause) {
    await rm(temporary, { force: true }).catch(() => undefined)
    throw new WriteError(path, cause)
  }
}

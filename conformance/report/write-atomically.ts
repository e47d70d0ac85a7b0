import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { codeOf } from '../input/fault.ts'

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'read-only file system',
  ENOSPC: 'no space left on device',
  ENOTDIR: 'a part of the path is a file, not a directory',
  EEXIST: 'a file of that name exists',
  EISDIR: 'a directory of that name exists',
  ENOENT: 'the directory cannot be created',
}

/** A report could not be written; the message is one sentence. */
class WriteError extends Error {
  override readonly name = 'WriteError'
  readonly code: string

  constructor(path: string, cause: unknown) {
    const code = codeOf(cause) || 'unknown error'
    super(
      `cannot write ${path}: ${REASONS[code] ?? 'the system refused'} (${code}); choose another directory`,
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
 * Writes a file so that a reader sees the old file or the complete new one. Creates the directory if it is missing.
 * Throws `WriteError`.
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

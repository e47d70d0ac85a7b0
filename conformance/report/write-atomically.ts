import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { reasonOfSystem, SetupFault } from '../input/fault.ts'
import { makeDirectories } from '../input/make-directory.ts'

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
 * Writes a file so that a reader sees the old file or the complete new one, and returns its path. Creates the directory
 * if it is missing. Throws a {@link SetupFault} that names the file and the reason.
 */
export const writeAtomically = async (
  path: string,
  content: string | Uint8Array,
): Promise<string> => {
  const temporary = `${path}.${process.pid}.part`
  try {
    makeDirectories(dirname(path))
    await rm(temporary, { force: true })
    await writeAndSync(temporary, content)
    await rename(temporary, path)
    return path
  } catch (cause) {
    await rm(temporary, { force: true }).catch(() => undefined)
    throw new SetupFault(`cannot write ${path}: ${reasonOfSystem(cause)}`, {
      next: 'free disk space, or name another directory',
      cause,
    })
  }
}

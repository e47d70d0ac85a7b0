import { lstat, readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { codeOf, SetupFault } from '../../../conformance/input/fault.ts'
import { shortLine } from '../../../conformance/report/visible.ts'
import { readZip } from '../../bundle/zip.ts'
import type { KitFiles } from './verify-kit.ts'

/** A larger kit is not read. */
const LARGEST = 512 * 1024 * 1024
const MOST_FILES = 100

/** The files of a kit: a directory, or a zip archive of one. Throws `SetupFault` if it cannot be read. */
export async function openKit(path: string): Promise<KitFiles> {
  try {
    const { isDirectory } = await kindOf(path)
    return isDirectory ? await readDirectory(path) : await readArchive(path)
  } catch (cause) {
    if (cause instanceof SetupFault) throw cause
    const why = codeOf(cause) || (cause instanceof Error ? cause.message : 'unknown error')
    throw refuse(path, shortLine(why, 300), cause)
  }
}

function refuse(path: string, why: string, cause?: unknown): SetupFault {
  return new SetupFault(`${path} cannot be read as a kit: ${why}`, {
    next: 'give the directory that assay certify wrote, or a zip of it',
    cause,
  })
}

async function kindOf(path: string): Promise<{ readonly isDirectory: boolean }> {
  const found = await lstat(path)
  if (found.isDirectory() || found.isFile()) return { isDirectory: found.isDirectory() }
  throw refuse(path, 'it is neither a directory nor a file')
}

async function readDirectory(directory: string): Promise<KitFiles> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  if (entries.length > MOST_FILES) throw refuse(directory, `it has more than ${MOST_FILES} files`)
  const files = new Map<string, Uint8Array>()
  let total = 0
  for (const entry of entries) {
    if (entry.isDirectory()) continue
    const file = join(entry.parentPath, entry.name)
    const path = relative(directory, file).split(sep).join('/')
    if (!entry.isFile()) throw refuse(directory, `${path} is no regular file`)
    total += (await lstat(file)).size
    if (total > LARGEST) throw refuse(directory, `its files have more than ${LARGEST} bytes`)
    files.set(path, await readFile(file))
  }
  return files
}

/** An archive may have all files in one directory. */
async function readArchive(path: string): Promise<KitFiles> {
  const files = await readZip(await readFile(path), LARGEST)
  const folders = new Set([...files.keys()].map((name) => name.split('/')[0]))
  const [folder = ''] = folders
  if (folders.size !== 1 || files.has(folder)) return files
  return new Map([...files].map(([name, bytes]) => [name.slice(folder.length + 1), bytes]))
}

import { buffer } from 'node:stream/consumers'
import { type Entry, fromBufferPromise } from 'yauzl'
import { ZipFile } from 'yazl'
import type { BundleFile } from './attachments.ts'

/** Every file has this time, so that the same files make the same archive. */
const TIME = new Date('2000-01-01T00:00:00Z')

/** A zip archive of these files. */
export async function packZip(files: readonly BundleFile[]): Promise<Uint8Array> {
  const zip = new ZipFile()
  for (const { path, bytes } of files)
    zip.addBuffer(Buffer.from(bytes), path, { mtime: TIME, forceDosTimestamp: true })
  zip.end()
  return buffer(zip.outputStream)
}

/** The files of a zip archive by path. Throws if it is damaged, or if they have more than `most` bytes. */
export async function readZip(
  archive: Uint8Array,
  most: number,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const zip = await fromBufferPromise(Buffer.from(archive), { lazyEntries: true })
  const files = new Map<string, Uint8Array>()
  let total = 0
  for await (const entry of zip.eachEntry()) {
    total += entry.uncompressedSize
    if (total > most) throw new Error(`its files have more than ${most} bytes`)
    if (files.has(entry.fileName)) throw new Error(`it has ${entry.fileName} twice`)
    if (!entry.fileName.endsWith('/')) files.set(entry.fileName, await contentOf(zip, entry))
  }
  return files
}

async function contentOf(
  zip: Awaited<ReturnType<typeof fromBufferPromise>>,
  entry: Entry,
): Promise<Uint8Array> {
  return buffer(await zip.openReadStreamPromise(entry))
}

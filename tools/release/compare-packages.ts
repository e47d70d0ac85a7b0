import { gunzipSync } from 'node:zlib'
import { unpackTar } from 'modern-tar'

type Entries = Awaited<ReturnType<typeof unpackTar>>

function bytesOf(entry: Entries[number] | undefined): Buffer {
  return Buffer.from(entry?.data ?? [])
}

function headerOf(entry: Entries[number] | undefined): string {
  return JSON.stringify(entry?.header)
}

/**
 * The first place in which two packages (.tgz) differ: a path of one of them; undefined if they are byte for byte
 * alike.
 */
export async function firstDifference(
  one: Uint8Array,
  other: Uint8Array,
): Promise<string | undefined> {
  if (Buffer.compare(one, other) === 0) return undefined
  const [left, right] = [await unpackTar(gunzipSync(one)), await unpackTar(gunzipSync(other))]
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const name = (left[at] ?? right[at])?.header.name
    if (!bytesOf(left[at]).equals(bytesOf(right[at]))) return name
    if (headerOf(left[at]) !== headerOf(right[at])) return `${name} (name, time or mode)`
  }
  return 'the compression, not a file'
}

import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { writeAtomically } from '../write-atomically.ts'
import type { Transcripts } from './transcripts.ts'

/** The name of the file in the report directory. */
export const TRANSCRIPTS_FILE = 'transcripts.jsonl.gz'

/** `transcripts.jsonl.gz`: one JSON text per line, as in `reports/schema/transcript.schema.json`. */
export const packTranscripts = (transcripts: Transcripts): Promise<Uint8Array> => {
  const lines = Array.from(transcripts.all(), (kept) => Buffer.from(`${JSON.stringify(kept)}\n`))
  return promisify(gzip)(Buffer.concat(lines))
}

/**
 * Writes `transcripts.jsonl.gz` and returns its path. A run without transcripts overwrites an earlier file with an
 * empty one.
 */
export const writeTranscripts = async (
  transcripts: Transcripts,
  directory: string,
): Promise<string> => {
  const path = join(directory, TRANSCRIPTS_FILE)
  await writeAtomically(path, await packTranscripts(transcripts))
  return path
}

import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { writeAtomically } from '../write-atomically.ts'
import type { Transcripts } from './transcripts.ts'

/** The name of the file in the report directory. */
export const TRANSCRIPTS_FILE = 'transcripts.jsonl.gz'

/** `transcripts.jsonl.gz`: one JSON text per line, as in `reports/schema/transcript.schema.json`. */
export const packTranscripts = (transcripts: Transcripts): Promise<Uint8Array> =>
  packLines(transcripts.all())

const packLines = (all: Iterable<object>): Promise<Uint8Array> => {
  const lines = Array.from(all, (one) => Buffer.from(`${JSON.stringify(one)}\n`))
  return promisify(gzip)(Buffer.concat(lines))
}

/** The name of the file with the states of virtual TPMs. */
export const TPM_STATES_FILE = 'tpm-states.jsonl.gz'

/**
 * Writes `transcripts.jsonl.gz` and `tpm-states.jsonl.gz`, and returns the path of the first. A run without transcripts
 * overwrites earlier files with empty ones.
 */
export const writeTranscripts = async (
  transcripts: Transcripts,
  directory: string,
): Promise<string> => {
  await writeAtomically(join(directory, TPM_STATES_FILE), await packLines(transcripts.states()))
  return await writeAtomically(
    join(directory, TRANSCRIPTS_FILE),
    await packTranscripts(transcripts),
  )
}
